package form_test

import (
	"fmt"
	"net/url"
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/pages/profile/form"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// full sets every field of a message to a distinct string, and every list to two items.
func full(m protoreflect.Message, at string) {
	for i := range m.Descriptor().Fields().Len() {
		f := m.Descriptor().Fields().Get(i)
		path := at + string(f.Name())
		switch {
		case f.IsMap():
			m.Mutable(f).Map().Set(protoreflect.ValueOfString("github").MapKey(), protoreflect.ValueOfString("https://example.com/"+path))
			m.Mutable(f).Map().Set(protoreflect.ValueOfString("x").MapKey(), protoreflect.ValueOfString("https://example.com/other"))
		case f.IsList():
			for k := range 2 {
				if f.Message() == nil {
					m.Mutable(f).List().Append(protoreflect.ValueOfString(fmt.Sprint(path, " نص ", k)))
				} else {
					full(m.Mutable(f).List().AppendMutable().Message(), fmt.Sprint(path, k, " "))
				}
			}
		case f.Message() != nil:
			full(m.Mutable(f).Message(), path+" ")
		case f.Kind() == protoreflect.BoolKind:
			m.Set(f, protoreflect.ValueOfBool(true))
		case f.Kind() == protoreflect.StringKind:
			m.Set(f, protoreflect.ValueOfString(path+" نص"))
		}
	}
}

// notInTheForm are the profile fields that the form does not contain.
var notInTheForm = []string{"person_id", "email", "email_verified", "avatar_url", "uae_pass_verified", "content", "created_at", "updated_at"}

func document() form.Document {
	d := form.Document{Profile: &candidatev1.Profile{}, Content: &candidatev1.CvContent{}}
	full(d.Profile.ProtoReflect(), "")
	full(d.Content.ProtoReflect(), "")
	for _, name := range notInTheForm {
		d.Profile.ProtoReflect().Clear(d.Profile.ProtoReflect().Descriptor().Fields().ByName(protoreflect.Name(name)))
	}
	return d
}

// sent returns the values that a browser submits for a form.
func sent(shown form.Form) url.Values {
	values := url.Values{}
	add := func(fields []form.Field) {
		for _, f := range fields {
			if f.Kind == form.Check {
				if f.On {
					values.Add(f.Name, "on")
				}
				continue
			}
			values.Add(f.Name, f.Value)
		}
	}
	for _, g := range shown {
		add(g.Fields)
		for _, e := range g.Entries {
			values.Add(e.List, e.Key)
			add(e.Hidden)
			add(e.Fields)
		}
	}
	return values
}

// If the form lacked a field of the message, the next save would clear that field.
func TestFormKeepsEveryField(t *testing.T) {
	d := document()
	got, _ := form.Read(sent(form.Of(d, false)), true)
	if !proto.Equal(got.Content, d.Content) {
		t.Errorf("content:\ngot  %v\nwant %v", got.Content, d.Content)
	}
	if !proto.Equal(got.Profile, d.Profile) {
		t.Errorf("profile:\ngot  %v\nwant %v", got.Profile, d.Profile)
	}
	if alone, _ := form.Read(sent(form.Of(form.Document{Content: d.Content}, false)), false); alone.Profile != nil || !proto.Equal(alone.Content, d.Content) {
		t.Errorf("form of a CV: %v", alone)
	}
}

func TestBlankEntryIsOmitted(t *testing.T) {
	values := url.Values{
		"experiences": {"7", "8", "9", "9", "no key"}, "experiences.7.title": {"  "}, "experiences.7.id": {"kept"},
		"experiences.8.company": {"Acme"}, "experiences.9.current": {"on"},
		"skills": {" Go \r\n\r\nSQL\n"}, "summary": {"One\r\ntwo "},
	}
	d, keys := form.Read(values, false)
	want := &candidatev1.CvContent{
		Summary: "One\ntwo", Skills: []string{"Go", "SQL"}, Experiences: []*cvv1.Experience{{Company: "Acme"}, {Current: true}},
	}
	if !proto.Equal(d.Content, want) {
		t.Errorf("got  %v\nwant %v", d.Content, want)
	}
	for path, control := range map[string]string{
		"content.experiences[0].title":         "experiences.8.title",
		"profile.content.experiences[1].title": "experiences.9.title",
		"content.experiences[1].bullets[3]":    "experiences.9.bullets",
		"content.experiences[0].id":            "experiences.8.title",
		"content.skills[2]":                    "skills",
		"profile.name":                         "name",
		"profile.personal_details.gender":      "personal_details.gender",
		"content.nothing":                      "",
		"update_mask":                          "",
	} {
		if got := form.Control(path, keys); got != control {
			t.Errorf("control of %s is %q, want %q", path, got, control)
		}
	}
}

func TestTwoLinksToSamePlatformAreKept(t *testing.T) {
	d, keys := form.Read(url.Values{
		"socials": {"0", "5"}, "socials.0.platform": {"github"}, "socials.0.address": {"https://a.example"},
		"socials.5.platform": {"github"}, "socials.5.address": {"b"},
	}, false)
	if got := d.Content.GetSocials(); len(got) != 2 || got["github"] != "https://a.example" || got["github 2"] != "b" {
		t.Errorf("links are %v", got)
	}
	if got := form.Control(`profile.content.socials["github 2"]`, keys); got != "socials.5.address" {
		t.Errorf("the second link's fault is at %q", got)
	}
	if got := form.Control(`content.socials["github 2"]`, keys.Renumbered(d)); got != "socials.1.address" {
		t.Errorf("in the form shown again, it is at %q", got)
	}
}

func TestButtonsMoveAndRemoveEntries(t *testing.T) {
	for do, want := range map[string][]string{
		"up experiences b": {"b", "a", "c"}, "down experiences b": {"a", "c", "b"}, "up experiences a": {"a", "b", "c"},
		"down experiences c": {"a", "b", "c"}, "remove experiences b": {"a", "c"}, "add experiences": {"a", "b", "c"}, "remove experiences z": {"a", "b", "c"},
	} {
		d, keys := form.Read(url.Values{
			"experiences": {"a", "b", "c"}, "experiences.a.title": {"a"}, "experiences.b.title": {"b"}, "experiences.c.title": {"c"},
		}, false)
		button, ok := form.ReadDo(do)
		if !ok {
			t.Fatalf("%q is not a button", do)
		}
		button.Apply(d, keys)
		var got []string
		for _, e := range d.Content.GetExperiences() {
			got = append(got, e.GetTitle())
		}
		if !slices.Equal(got, want) {
			t.Errorf("%s: %v, want %v", do, got, want)
		}
	}
	for _, wrong := range []string{"", "add", "add nothing", "add experiences 1", "up experiences", "eat experiences 1", "up experiences 1 2"} {
		if _, ok := form.ReadDo(wrong); ok {
			t.Errorf("%q is accepted as a button", wrong)
		}
	}
	d, keys := form.Read(url.Values{"socials": {"0"}, "socials.0.platform": {"x"}, "socials.0.address": {"https://x.example"}}, false)
	remove, _ := form.ReadDo("remove socials 0")
	if remove.Apply(d, keys); len(d.Content.GetSocials()) != 0 {
		t.Errorf("the link is still there: %v", d.Content.GetSocials())
	}
}

func TestDifferencesAreFoundPerControl(t *testing.T) {
	of := func(summary string, titles ...string) form.Form {
		c := &candidatev1.CvContent{Summary: summary}
		for _, title := range titles {
			c.Experiences = append(c.Experiences, &cvv1.Experience{Title: title, Company: "Acme"})
		}
		return form.Of(form.Document{Content: c}, false)
	}
	got := form.Differences(of("mine", "Engineer"), of("stored", "Engineer", "Intern"))
	want := []form.Difference{
		{Label: "summary", Kind: form.Text, Mine: "mine", Stored: "stored"},
		{Label: "experiences.title", Heading: "Intern", Kind: form.Line, Stored: "Intern"},
		{Label: "experiences.company", Heading: "Intern", Kind: form.Line, Stored: "Acme"},
	}
	if !slices.Equal(got, want) {
		t.Errorf("got  %v\nwant %v", got, want)
	}
	if same := form.Differences(of("a", "b"), of("a", "b")); len(same) != 0 {
		t.Errorf("equal forms have differences %v", same)
	}
}

func FuzzReadFormCanBeShownAgain(f *testing.F) {
	f.Add("experiences=0&experiences.0.title=x&do=up+experiences+0")
	f.Add("socials=0&socials=1&socials.0.platform=a&socials.1.platform=a")
	f.Add(sent(form.Of(document(), false)).Encode())
	f.Fuzz(func(t *testing.T, body string) {
		values, err := url.ParseQuery(body)
		if err != nil {
			return
		}
		d, keys := form.Read(values, true)
		if do, ok := form.ReadDo(values.Get("do")); ok {
			do.Apply(d, keys)
		}
		keys.Renumbered(d)
		again, _ := form.Read(sent(form.Of(d, false)), true)
		twice, _ := form.Read(sent(form.Of(again, false)), true)
		if !proto.Equal(again.Content, twice.Content) {
			t.Errorf("a form changes when it is submitted unchanged:\n%v\n%v", again.Content, twice.Content)
		}
	})
}
