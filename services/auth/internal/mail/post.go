package mail

import (
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
)

// Post makes the notices of a deployment, none where no mail is sent.
type Post struct {
	// On says that mail is sent.
	On bool
	// Console says that emails about developer accounts are sent too: the address of the console
	// is known.
	Console bool
	Clock   clock.Clock
}

// Event returns an event to tell owners of, nil where no such email is sent. The store knows the
// account of an app.
func (p Post) Event(kind Kind, accountID, appID, subjectID string) *Event {
	if !p.On || !p.Console {
		return nil
	}
	return &Event{Kind: kind, AccountID: accountID, AppID: appID, SubjectID: subjectID, At: p.Clock.Now()}
}

// Place is where something was done, empty for what is not known.
type Place struct {
	// Browser and System are the names of the browser.
	Browser, System string
	// Country is an ISO 3166-1 alpha-2 code.
	Country string
}

// Occasion is where something was done that a notice tells of.
type Occasion struct {
	// Session is that in which it was done; the zero digest for none.
	Session credential.Digest
	// By is where it was done without a session.
	By Place
	// AppID is the app that it is about, empty for none.
	AppID string
	// Language is that of the page, a BCP 47 tag; empty for that of the session.
	Language string
}

// Notice gives a notice to a person, nil where no mail is sent.
func (p Post) Notice(kind Kind, o Occasion) *Notice {
	if !p.On {
		return nil
	}
	now := p.Clock.Now()
	return &Notice{ID: id.New("mail"), Kind: kind, Occasion: o, CreatedAt: now, ExpiresAt: now.Add(kind.life())}
}
