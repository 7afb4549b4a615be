package profile

import (
	"os"
	"path/filepath"
	"testing"

	cvimport "vitae.internal/gateway/internal/pages/profile/import"
)

func TestImportDescribesTextsInWordsOfForm(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]leftText{
		"basics.name":                  {Section: "editor.group.person", Field: "editor.field.name", Words: "Name"},
		"basics.phone":                 {Section: "editor.group.person", Field: "editor.field.phone", Words: "Phone"},
		"basics.location.postalCode":   {Section: "editor.group.person", Field: "consent.reads.address", Words: "Postal code"},
		"work[0].url":                  {Section: "editor.group.experiences", Number: 1, Field: "editor.field.projects.link", Words: "Url"},
		"education[1].coursesTaken[0]": {Section: "editor.group.educations", Number: 2, Words: "Courses taken"},
		"SkillsPassport/LearnerInfo/Identification/Demographics/Birthdate/@month":                 {Section: "editor.group.person", Field: "editor.field.date_of_birth", Words: "Month"},
		"Candidate/CandidateProfile/EmploymentHistory/EmployerHistory[2]/UserArea/CompanyUnit[1]": {Section: "editor.group.experiences", Number: 2, Words: "Company unit"},
		"meta": {Words: "Meta"},
	} {
		want.Text = "x"
		if got := inWords([]cvimport.Left{{Path: path, Text: "x"}}); got[0] != want {
			t.Errorf("%s: %+v, want %+v", path, got[0], want)
		}
	}
}

// A string without a title would be shown under the English name that the file uses, even on an
// Arabic page.
func TestEveryTextInAnImportHasATitle(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"every/jsonresume.json", "every/candidate.xml", "every/skillspassport.xml", "europa.xml"} {
		raw, err := os.ReadFile(filepath.Join("import", "testdata", name))
		if err != nil {
			t.Fatal(err)
		}
		cv, err := cvimport.Read(t.Context(), raw)
		if err != nil {
			t.Fatal(err)
		}
		for i, left := range inWords(cv.Left) {
			if left.Field == "" {
				t.Errorf("%s: %s has no title", name, cv.Left[i].Path)
			}
		}
	}
}
