package mail

import (
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
)

// Post makes the notices of a deployment. It makes none if no email is sent.
type Post struct {
	// On is true if email is sent.
	On bool
	// Console is true if emails about developer accounts are sent too, because the address of the
	// console is known.
	Console bool
	Clock   clock.Clock
}

// Event returns an event for the owners of an account; nil if no such email is sent. The store
// finds the account of an app.
func (p Post) Event(kind Kind, accountID, appID, subjectID string) *Event {
	if !p.On || !p.Console {
		return nil
	}
	return &Event{Kind: kind, AccountID: accountID, AppID: appID, SubjectID: subjectID, At: p.Clock.Now()}
}

// Place is where something was done. Unknown fields are empty.
type Place struct {
	// Browser and System are the names of the browser.
	Browser, System string
	// Country is an ISO 3166-1 alpha-2 code.
	Country string
}

// Occasion is where the action that a notice reports was done.
type Occasion struct {
	// Session is the session of the action; the zero digest for none.
	Session credential.Digest
	// By is the place of an action without a session.
	By Place
	// AppID is the app that the notice is about, empty for none.
	AppID string
	// Language is the language of the page (BCP 47); empty for that of the session.
	Language string
}

// Notice returns a notice to a person; nil if no email is sent.
func (p Post) Notice(kind Kind, o Occasion) *Notice {
	if !p.On {
		return nil
	}
	now := p.Clock.Now()
	return &Notice{ID: id.New("mail"), Kind: kind, Occasion: o, CreatedAt: now, ExpiresAt: now.Add(kind.life())}
}
