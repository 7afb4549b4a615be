//go:build !nobrowser

package app_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/wrapperspb"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// demoPerson is a person in the demo world (docs/world-file.md). Its documents use the field names of the
// .proto files.
type demoPerson struct {
	Name, Headline, Email, Phone string
	OpenToWork, UAEPassVerified  bool
	PersonalDetails, Profile     json.RawMessage
	CVs                          []struct{ Document json.RawMessage }
}

// demo returns the CVs of the people in the demo world, as an app with every permission sees them.
func demo(t *testing.T) (all []*cvv1.SharedCv) {
	t.Helper()
	raw, err := os.ReadFile(filepath.Join("..", "..", "..", "deploy", "demo", "world.json"))
	if err != nil {
		t.Fatal(err)
	}
	var world struct{ People []demoPerson }
	if err := json.Unmarshal(raw, &world); err != nil {
		t.Fatal(err)
	}
	for _, p := range world.People {
		documents := []json.RawMessage{p.Profile}
		for _, other := range p.CVs {
			documents = append(documents, other.Document)
		}
		for _, d := range documents {
			if c := p.show(t, d); len(c.GetDocument().GetExperiences()) > 0 {
				all = append(all, c)
			}
		}
	}
	if len(all) < 8 {
		t.Fatalf("the demo world has only %d CVs", len(all))
	}
	return all
}

func (p demoPerson) show(t *testing.T, document json.RawMessage) *cvv1.SharedCv {
	t.Helper()
	d, details := &cvv1.CvDocument{}, &cvv1.PersonalDetails{}
	for m, raw := range map[proto.Message]json.RawMessage{d: document, details: p.PersonalDetails} {
		if len(raw) == 0 {
			continue
		}
		if err := (protojson.UnmarshalOptions{DiscardUnknown: true}).Unmarshal(raw, m); err != nil {
			t.Fatalf("%s: %v", p.Name, err)
		}
	}
	d.Name, d.Title, d.ContactEmail = p.Name, wrapperspb.String(p.Headline), wrapperspb.String(p.Email)
	d.OpenToWork, d.IsUaePassVerified = p.OpenToWork, p.UAEPassVerified
	if p.Phone != "" {
		if d.Socials == nil {
			d.Socials = map[string]string{}
		}
		d.Socials["phone"] = p.Phone
	}
	for _, g := range d.GetSkillGroups() {
		d.Skills = append(d.Skills, g.GetItems()...)
	}
	language := "en"
	if mostlyArabic(p.Headline + d.GetSummary().GetValue() + d.GetBio().GetValue()) {
		language = "ar"
	}
	return &cvv1.SharedCv{Language: language, Document: d, PersonalDetails: details}
}

// mostlyArabic applies the rule in behaviour: sharing#language-of-a-cv to a string.
func mostlyArabic(text string) bool {
	letters := slices.DeleteFunc([]rune(text), func(r rune) bool { return !unicode.IsLetter(r) })
	arabic := slices.DeleteFunc(slices.Clone(letters), func(r rune) bool { return !unicode.Is(unicode.Arabic, r) })
	return 2*len(arabic) > len(letters)
}
