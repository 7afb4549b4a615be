package projection

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Source is the input of the projection: a stored person and one of their CVs, including
// private fields.
type Source struct {
	Person profile.Person
	// Location is the profile's city and country.
	Location string
	// Socials are the profile's links. They are loaded only together with the main CV.
	Socials map[string]string
	// Cv is the selected CV. It is nil if the CV does not exist, or if it is the main CV and has no
	// content.
	Cv *Cv
}

// Cv is a stored CV, which may be the main CV.
type Cv struct {
	// ID is profile.MainCvID or the CV's id.
	ID        string
	Title     string
	UpdatedAt time.Time
	// Content is the content of the CV, or nil if only a reference was read.
	Content *cv.Content
	// Template is the template of the PDF, or "" if only a reference was read.
	Template profile.Template
}

// With returns s with the person's unsaved changes to a CV.
func (s Source) With(cvID string, written profile.Profile) Source {
	if cvID == profile.MainCvID {
		s.Person.Name, s.Person.Headline, s.Person.OpenToWork = written.Name, written.Headline, written.OpenToWork
		s.Location, s.Socials = written.Content.GetLocation(), written.Content.GetSocials()
		if s.Cv = nil; !cv.HasCV(written.Content) {
			return s
		}
		s.Cv = &Cv{ID: cvID, Title: profile.MainCvTitle}
	}
	chosen := *s.Cv
	chosen.Content = written.Content
	s.Cv = &chosen
	return s
}
