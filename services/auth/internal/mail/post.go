package mail

import (
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
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

// Tell gives a notice of what is done in a session, nil where no mail is sent. appID is the app
// that it is about, empty for none.
func (p Post) Tell(kind Kind, session credential.Digest, appID string) *Notice {
	if !p.On {
		return nil
	}
	now := p.Clock.Now()
	return &Notice{ID: id.New("mail"), Kind: kind, Session: session, AppID: appID, CreatedAt: now, ExpiresAt: now.Add(kind.life())}
}
