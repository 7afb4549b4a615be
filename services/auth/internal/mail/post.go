package mail

import (
	"vitae.internal/pkg/clock"
)

// Post makes the entries of a deployment, none where no mail is sent.
type Post struct {
	// On says that mail is sent.
	On    bool
	Clock clock.Clock
}

// Notice gives the entry of a notice to a person, nil where no mail is sent.
func (p Post) Notice(kind Kind, email, emailKey, language string) *Entry {
	if !p.On {
		return nil
	}
	e := NewEntry(kind, email, emailKey, "", language, p.Clock.Now())
	return &e
}
