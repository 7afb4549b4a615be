package mail

import (
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
)

// Post creates the notices of a deployment. It creates none if the deployment sends no email.
type Post struct {
	// On is true if email is sent.
	On bool
	// Console is true if emails about developer accounts are sent too. It requires that the URL of
	// the console is configured.
	Console bool
	Clock   clock.Clock
}

// Event returns an event for the owners of an account, or nil if no such email is sent. If only an
// app is given, the store finds its account.
func (p Post) Event(kind Kind, accountID, appID, subjectID string) *Event {
	if !p.On || !p.Console {
		return nil
	}
	return &Event{Kind: kind, AccountID: accountID, AppID: appID, SubjectID: subjectID, At: p.Clock.Now()}
}

// Place describes where an action was taken. Unknown fields are empty.
type Place struct {
	// Browser and System are the names of the browser and its operating system.
	Browser, System string
	// Country is an ISO 3166-1 alpha-2 code.
	Country string
}

// Occasion describes the action that a notice reports.
type Occasion struct {
	// Session is the session in which the action was taken, or the zero digest if there was none.
	Session credential.Digest
	// By is where an action without a session was taken.
	By Place
	// AppID is the app that the notice is about, or empty if it is about none.
	AppID string
	// Language is the language of the page (BCP 47), or empty for the language of the session.
	Language string
}

// Notice returns a notice to a person, or nil if the deployment sends no email.
func (p Post) Notice(kind Kind, o Occasion) *Notice {
	if !p.On {
		return nil
	}
	now := p.Clock.Now()
	return &Notice{ID: id.New("mail"), Kind: kind, Occasion: o, CreatedAt: now, ExpiresAt: now.Add(kind.life())}
}
