package cv

import (
	"unicode"

	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// Languages of a CV (behaviour: sharing#language-of-a-cv).
const (
	English = "en"
	Arabic  = "ar"
)

// Letters counts letters by script, in order to detect the language of text. The zero value is ready
// to use.
type Letters struct {
	arabic, all int
}

// Add counts the letters in the given strings. It ignores digits, marks and symbols.
func (l *Letters) Add(texts ...string) {
	for _, text := range texts {
		for _, r := range text {
			if !unicode.IsLetter(r) {
				continue
			}
			l.all++
			if unicode.Is(unicode.Arabic, r) {
				l.arabic++
			}
		}
	}
}

// Language returns Arabic if more than half of the letters are Arabic, and English otherwise.
func (l *Letters) Language() string {
	if 2*l.arabic > l.all {
		return Arabic
	}
	return English
}

// AddDocument counts the letters in the sections of a CV. It skips links, dates and codes such as
// "full_time", which are in Latin script in every language.
func (l *Letters) AddDocument(d *cvv1.CvDocument) {
	l.Add(d.GetSummary().GetValue(), d.GetBio().GetValue(), d.GetLocation().GetValue())
	l.Add(d.GetSkills()...)
	l.Add(d.GetLanguages()...)
	for _, g := range d.GetSkillGroups() {
		l.Add(g.GetCategory())
	}
	for _, h := range d.GetHighlights() {
		l.Add(h.GetTitle(), h.GetDesc())
	}
	for _, e := range d.GetExperiences() {
		l.Add(e.GetTitle(), e.GetCompany(), e.GetLocation().GetValue(), e.GetOverview().GetValue())
		l.Add(e.GetBullets()...)
	}
	for _, e := range d.GetEducations() {
		l.Add(e.GetSchool(), e.GetDegree().GetValue(), e.GetFieldOfStudy().GetValue(), e.GetDescription().GetValue())
	}
	for _, c := range d.GetCertifications() {
		l.Add(c.GetName(), c.GetIssuer())
	}
	for _, p := range d.GetProjects() {
		l.Add(p.GetTitle(), p.GetDescription().GetValue())
		l.Add(p.GetTechnologies()...)
	}
}
