package cv

import "unicode"

// The languages of a CV (behaviour: sharing#language-of-a-cv).
const (
	English = "en"
	Arabic  = "ar"
)

// Letters counts the letters of texts, to detect their language. The zero value is ready to
// use.
type Letters struct {
	arabic, all int
}

// Add counts the letters of texts, without digits, marks and symbols.
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

// Language returns Arabic if more than half of the letters are Arabic, else English.
func (l *Letters) Language() string {
	if 2*l.arabic > l.all {
		return Arabic
	}
	return English
}

// AddContent counts the texts of c that a shared CV shows, without links, dates and codes such
// as "full_time", which are Latin in every language.
func (l *Letters) AddContent(c Content) {
	l.Add(c.Summary, c.Bio, c.Location)
	l.Add(c.FlatSkills()...)
	l.Add(c.Languages...)
	for _, g := range c.SkillGroups {
		l.Add(g.Category)
	}
	for _, h := range c.Highlights {
		l.Add(h.Title, h.Description)
	}
	for _, e := range c.Experiences {
		l.Add(e.Title, e.Company, e.Location, e.Overview)
		l.Add(e.Bullets...)
	}
	for _, e := range c.Educations {
		l.Add(e.School, e.Degree, e.FieldOfStudy, e.Description)
	}
	for _, e := range c.Certifications {
		l.Add(e.Name, e.Issuer)
	}
	for _, p := range c.Projects {
		l.Add(p.Title, p.Description)
		l.Add(p.Technologies...)
	}
}
