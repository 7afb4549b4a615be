//go:build !nobrowser

package app_test

import (
	"encoding/json"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"testing"
	"unicode"

	"vitae.internal/services/cvrender/internal/cv"
)

// demoPerson is a person of the demo world (docs/world-file.md), with the fields that a PDF shows.
type demoPerson struct {
	Name, Headline, Email, Phone, Address string
	OpenToWork, UAEPassVerified           bool
	PersonalDetails                       cv.Personal
	Profile                               demoDocument
	CVs                                   []struct{ Document demoDocument }
}

type demoDocument struct {
	Summary, Bio, Location string
	Socials                map[string]string
	Languages, Skills      []string
	SkillGroups            []cv.SkillGroup
	Highlights             []struct{ Title, Desc string }
	Experiences            []struct {
		cv.Experience
		StartDate, EndDate string
	}
	Educations []struct {
		School, Degree, FieldOfStudy, StartDate, EndDate, Description string
	}
	Certifications []struct{ Name, Issuer, IssueDate, ExpirationDate, CredentialURL string }
	Projects       []struct {
		Title, Description, Link string
		Technologies             []string
	}
}

// demo returns the CVs of the people of the demo world, as shown with a consent to everything.
func demo(t *testing.T) (all []cv.CV) {
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
		documents := []demoDocument{p.Profile}
		for _, other := range p.CVs {
			documents = append(documents, other.Document)
		}
		for _, d := range documents {
			if c := p.show(d); len(c.Experiences) > 0 {
				all = append(all, c)
			}
		}
	}
	if len(all) < 8 {
		t.Fatalf("the demo world has %d CVs only", len(all))
	}
	return all
}

func (p demoPerson) show(d demoDocument) cv.CV {
	c := cv.CV{
		Language: cv.English, Name: p.Name, Headline: p.Headline, Email: p.Email, Location: d.Location, Summary: d.Summary, Bio: d.Bio,
		OpenToWork: p.OpenToWork, UAEPassVerified: p.UAEPassVerified, Socials: map[string]string{}, Languages: d.Languages, Skills: d.Skills,
		SkillGroups: d.SkillGroups, Personal: p.PersonalDetails,
	}
	maps.Copy(c.Socials, d.Socials)
	if p.Phone != "" {
		c.Socials["phone"] = p.Phone
	}
	for _, g := range d.SkillGroups {
		c.Skills = append(c.Skills, g.Items...)
	}
	for _, h := range d.Highlights {
		c.Highlights = append(c.Highlights, cv.Highlight{Title: h.Title, Text: h.Desc})
	}
	for _, e := range d.Experiences {
		e.Start, e.End = e.StartDate, e.EndDate
		c.Experiences = append(c.Experiences, e.Experience)
	}
	for _, e := range d.Educations {
		c.Educations = append(c.Educations, cv.Education{School: e.School, Degree: e.Degree, Field: e.FieldOfStudy, Start: e.StartDate, End: e.EndDate, Text: e.Description})
	}
	for _, x := range d.Certifications {
		c.Certifications = append(c.Certifications, cv.Certification{Name: x.Name, Issuer: x.Issuer, Issued: x.IssueDate, Expires: x.ExpirationDate, URL: x.CredentialURL})
	}
	for _, x := range d.Projects {
		c.Projects = append(c.Projects, cv.Project{Title: x.Title, Text: x.Description, Link: x.Link, Technologies: x.Technologies})
	}
	if mostlyArabic(c.Headline + c.Summary + c.Bio) {
		c.Language = cv.Arabic
	}
	return c
}

// mostlyArabic applies the rule of behaviour: sharing#language-of-a-cv to a text.
func mostlyArabic(text string) bool {
	letters := slices.DeleteFunc([]rune(text), func(r rune) bool { return !unicode.IsLetter(r) })
	arabic := slices.DeleteFunc(slices.Clone(letters), func(r rune) bool { return !unicode.Is(unicode.Arabic, r) })
	return 2*len(arabic) > len(letters)
}
