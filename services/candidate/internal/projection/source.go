package projection

import (
	"time"

	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Source is what the projection works on: a stored person and the CV in
// question, private fields included.
type Source struct {
	// Person whose CV it is.
	Person profile.Person
	// Location is the city and country of the profile.
	Location string
	// Socials are the links of the profile; read with the main CV only.
	Socials map[string]string
	// Cv is the CV in question; nil when it does not exist, or the main CV has no
	// content.
	Cv *Cv
}

// Cv is a stored CV, the main one or another.
type Cv struct {
	// ID is profile.MainCvID or the CV's id.
	ID string
	// Title of the CV.
	Title string
	// UpdatedAt is when it last changed.
	UpdatedAt time.Time
	// Content of the CV; empty where only a reference is wanted.
	Content cv.Content
}

func (c Cv) isMain() bool { return c.ID == profile.MainCvID }
