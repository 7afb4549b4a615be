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
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// Machines that run tests are often set to UTC, which would hide errors with local time.
func init() { time.Local = time.FixedZone("four hours east", 4*60*60) }

func at(nanos int) *timestamppb.Timestamp {
	return timestamppb.New(time.Date(2026, 3, 4, 5, 6, 7, nanos, time.UTC))
}

// encodings holds messages and their JSON.
var encodings = map[string]struct {
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
	"lists are printed when empty": {&cvv1.SkillGroup{}, `{"category":"","items":[]}`},
	"maps are printed when empty":  {&authv1.ExportedEvent{}, event + `{}}`},
	"map keys in order": {
		&authv1.ExportedEvent{Details: map[string]string{"x": "1", "github": "2", "phone": "3"}}, event + `{"github":"2","phone":"3","x":"1"}}`,
	},
	"optional id of a highlight": {
		&cvv1.Highlight{Title: "t"}, `{"title":"t","desc":""}`,
	},
	"messages in lists": {
		&cvv1.SkillGroup{Category: "c", Items: []string{"a", "b"}}, `{"category":"c","items":["a","b"]}`,
	},
	"no message":   {(*candidatev1.SignedInUser)(nil), `null`},
	"numbers":      {wrapperspb.Double(12.5), `12.5`},
	"enums, unset": {&authv1.Plan{PerMinute: 3}, `{"name":null,"perMinute":3,"perDay":0}`},
	"enums, set":   {&authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED}, `{"name":"elevated","perMinute":0,"perDay":0}`},
	"optional enums and empty lists of a question": {
		&partnercatalogv1.ScreeningQuestion{Id: "qst_1", Prompt: "p", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_NUMBER},
		`{"id":"qst_1","prompt":"p","type":"number","required":false}`,
	},
	"a whole question": {
		&partnercatalogv1.ScreeningQuestion{
			Id: "q", Prompt: "p", Type: partnercatalogv1.QuestionType_QUESTION_TYPE_MULTIPLE_CHOICE, Required: true, Order: proto.Int32(0), Options: []string{"a"},
			Source: partnercatalogv1.QuestionSource_QUESTION_SOURCE_DEFAULT.Enum(), DefaultKey: partnercatalogv1.DefaultQuestion_DEFAULT_QUESTION_EXPECTED_SALARY.Enum(),
		},
		`{"id":"q","prompt":"p","type":"multiple_choice","required":true,"order":0,"options":["a"],"source":"default","defaultKey":"expected_salary"}`,
	},
	"salaries without exponents": {
		&partnercatalogv1.Salary{Min: proto.Float64(1200.5), Max: proto.Float64(15e20), Currency: "AED", Period: partnercatalogv1.SalaryPeriod_SALARY_PERIOD_YEARLY},
		`{"min":1200.5,"max":1500000000000000000000,"currency":"AED","period":"yearly"}`,
	},
	"answers of every type": {
		&candidatev1.Application{ScreeningAnswers: []*candidatev1.ScreeningAnswer{
			{QuestionId: "1", Value: &candidatev1.AnswerValue{Value: &candidatev1.AnswerValue_Text{Text: ""}}},
			{QuestionId: "2", Value: &candidatev1.AnswerValue{Value: &candidatev1.AnswerValue_Number{Number: 0}}},
			{QuestionId: "3", Value: &candidatev1.AnswerValue{Value: &candidatev1.AnswerValue_Yes{}}},
			{QuestionId: "4", Value: &candidatev1.AnswerValue{}},
			{QuestionId: "5"},
		}},
		`{"applicationId":"","jobId":"","companyId":"","status":null,"appliedAt":null,"updatedAt":null,"source":null,"screeningAnswers":[` +
			`{"questionId":"1","type":null,"value":""},{"questionId":"2","type":null,"value":0},{"questionId":"3","type":null,"value":false},` +
			`{"questionId":"4","type":null,"value":null},{"questionId":"5","type":null,"value":null}],` +
			`"statusHistory":[],"candidate":null,"submittedCv":null}`,
	},
	"items of a section": {
		&candidatev1.CvSection{Kind: "k", Items: []*candidatev1.CvSectionItem{
			{Item: &candidatev1.CvSectionItem_Text{Text: "Go"}},
			{Item: &candidatev1.CvSectionItem_Highlight{Highlight: &cvv1.Highlight{Title: "t"}}},
		}},
		`{"kind":"k","title":"","items":["Go",{"title":"t","desc":""}]}`,
	},
}

// event is the JSON of an ExportedEvent, up to its map.
const event = `{"at":null,"action":"","outcome":"","actor":"","appId":"","clientAddress":"","errorCode":"","objectType":"","objectId":"","details":`

// appendJSON returns the JSON of a message.
func appendJSON(m proto.Message) ([]byte, error) {
	p, err := planOf(m.ProtoReflect().Descriptor())
	if err != nil {
		return nil, err
	}
	return p.append(nil, m.ProtoReflect())
}

func TestNullAndAbsentDiffer(t *testing.T) {
	for name, c := range encodings {
		t.Run(name, func(t *testing.T) {
			got, err := appendJSON(c.message)
			if err != nil || string(got) != c.want {
				t.Errorf("got  %s\nwant %s\nerr %v", got, c.want, err)
			}
		})
	}
}

func TestTimestampsHaveThreeDecimals(t *testing.T) {
	for nanos, want := range map[int]string{
		0:           `"2026-03-04T05:06:07.000Z"`,
		500_000_000: `"2026-03-04T05:06:07.500Z"`,
		1_000_000:   `"2026-03-04T05:06:07.001Z"`,
		123_456_789: `"2026-03-04T05:06:07.123Z"`,
		999_999_999: `"2026-03-04T05:06:07.999Z"`,
	} {
		got, err := appendJSON(at(nanos))
		if err != nil || string(got) != want {
			t.Errorf("%d ns: got %s, want %s (%v)", nanos, got, want, err)
		}
	}
	if got, err := appendJSON(&timestamppb.Timestamp{Seconds: math.MaxInt64 / 2}); err == nil {
		t.Errorf("a timestamp that is out of range was encoded as %s", got)
	}
}

func TestValuesWithoutJSONFormAreRejected(t *testing.T) {
	for _, m := range []proto.Message{
		&cvrenderv1.RenderCvHead{Size: 1},
		&authv1.ResolveCredentialRequest{Hash: []byte{1}},
		wrapperspb.Double(math.NaN()),
		wrapperspb.Double(math.Inf(1)),
		&candidatev1.Application{Status: 99}, // a value from a newer service
	} {
		if got, err := appendJSON(m); err == nil {
			t.Errorf("%T was encoded as %s", m, got)
		}
	}
}

func FuzzStringsSurviveEncoding(f *testing.F) {
	for _, s := range []string{"", `"\`, "\x00\x1f\x7f", "<script>&", "ليلى حدّاد", "\u2028", "a\xffb", "😀"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		var got string
		raw := appendString(nil, s)
		if err := json.Unmarshal(raw, &got); err != nil {
			t.Fatalf("%q was encoded as %s: %v", s, raw, err)
		}
		if want := string([]rune(s)); got != want {
			t.Errorf("%q was decoded as %q", s, got)
		}
	})
}
