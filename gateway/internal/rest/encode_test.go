package rest

import (
	"encoding/json"
	"math"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
)

func at(nanos int) *timestamppb.Timestamp {
	return timestamppb.New(time.Date(2026, 3, 4, 5, 6, 7, nanos, time.UTC))
}

func TestNullAndAbsentAreToldApart(t *testing.T) {
	cases := map[string]struct {
		message proto.Message
		want    string
	}{
		"nothing set": {
			&candidatev1.SignedInUser{},
			`{"id":"","name":"","username":null,"headline":null,"locale":null,"avatarUrl":null,"profileUrl":null,"connection":null}`,
		},
		"wrappers, optional and messages set, also to their zero": {
			&candidatev1.SignedInUser{
				Id: "usr_1", Name: "Layla", Username: wrapperspb.String(""), Email: proto.String(""),
				Connection: &candidatev1.ConnectionSummary{Id: "con_1", Scopes: []string{"profile", "cv:read"}, CreatedAt: at(0)},
			},
			`{"id":"usr_1","name":"Layla","username":"","headline":null,"locale":null,"avatarUrl":null,"profileUrl":null,"email":"",` +
				`"connection":{"id":"con_1","scopes":["profile","cv:read"],"cv":null,"createdAt":"2026-03-04T05:06:07.000Z"}}`,
		},
		"lists and maps are printed when empty": {
			&cvv1.CvDocument{},
			`{"username":"","publicCvUrl":null,"name":"","title":null,"summary":null,"bio":null,"location":null,"avatarUrl":null,` +
				`"contactEmail":null,"isUaePassVerified":false,"socials":{},"openToWork":false,"skills":[],"skillGroups":[],` +
				`"languages":[],"highlights":[],"experiences":[],"educations":[],"certifications":[],"projects":[]}`,
		},
		"map keys in order": {
			&cvv1.CvDocument{Socials: map[string]string{"x": "1", "github": "2", "phone": "3"}},
			`{"username":"","publicCvUrl":null,"name":"","title":null,"summary":null,"bio":null,"location":null,"avatarUrl":null,` +
				`"contactEmail":null,"isUaePassVerified":false,"socials":{"github":"2","phone":"3","x":"1"},"openToWork":false,"skills":[],"skillGroups":[],` +
				`"languages":[],"highlights":[],"experiences":[],"educations":[],"certifications":[],"projects":[]}`,
		},
		"optional id of a highlight": {
			&cvv1.Highlight{Title: "t"}, `{"title":"t","desc":""}`,
		},
		"messages in lists": {
			&cvv1.SkillGroup{Category: "c", Items: []string{"a", "b"}}, `{"category":"c","items":["a","b"]}`,
		},
		"no message": {(*candidatev1.SignedInUser)(nil), `null`},
		"numbers":    {wrapperspb.Double(12.5), `12.5`},
		"integers": {
			&authv1.Plan{Name: 0}, ``, // an enum has no form in the specification
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			got, err := appendJSON(nil, c.message)
			if c.want == "" {
				if err == nil {
					t.Fatalf("encoded %s", got)
				}
				return
			}
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s\nwant %s\nerr %v", got, c.want, err)
			}
		})
	}
}

func TestTimestampsAlwaysHaveThreeDecimals(t *testing.T) {
	for nanos, want := range map[int]string{
		0:           `"2026-03-04T05:06:07.000Z"`,
		500_000_000: `"2026-03-04T05:06:07.500Z"`,
		1_000_000:   `"2026-03-04T05:06:07.001Z"`,
		123_456_789: `"2026-03-04T05:06:07.123Z"`,
		999_999_999: `"2026-03-04T05:06:07.999Z"`,
	} {
		got, err := appendJSON(nil, at(nanos))
		if err != nil || string(got) != want {
			t.Errorf("%d ns: got %s, want %s (%v)", nanos, got, want, err)
		}
	}
	if got, err := appendJSON(nil, &timestamppb.Timestamp{Seconds: math.MaxInt64 / 2}); err == nil {
		t.Errorf("a timestamp out of range became %s", got)
	}
}

func TestKindsWithoutAPublicFormAreRefused(t *testing.T) {
	for _, m := range []proto.Message{
		&cvrenderv1.RenderCvHead{Size: 1},
		&authv1.ResolveCredentialRequest{Hash: []byte{1}},
		wrapperspb.Double(math.NaN()),
		wrapperspb.Double(math.Inf(1)),
	} {
		if got, err := appendJSON(nil, m); err == nil {
			t.Errorf("%T became %s", m, got)
		}
	}
}

func FuzzStringsSurviveTheEncoder(f *testing.F) {
	for _, s := range []string{"", `"\`, "\x00\x1f\x7f", "<script>&", "ليلى حدّاد", "\u2028", "a\xffb", "😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		raw := appendString(nil, s)
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%q became %s: %v", s, raw, err)
		}
		if want := string([]rune(s)); got != want {
			t.Errorf("%q came back as %q", s, got)
		}
	})
}
