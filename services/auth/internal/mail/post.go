package mail

import (
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
)

// Post creates a deployment's notices. It creates none if the deployment sends no email.
type Post struct {
	// On is true if email is sent.
	On bool
	// Console is true if emails about developer accounts are also sent, which requires the console's URL.
	Console bool
	Clock   clock.Clock
}

// Event returns an event that informs the owners of an account, or nil if such emails are not sent. If only the app
// is given, the store looks up its account.
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

// Occasion describes an action that a notice reports.
type Occasion struct {
	// Session is the session in which the action was taken, or the zero digest if it was taken without a session.
	Session credential.Digest
	// By describes where the action was taken if it was taken without a session.
	By Place
	// AppID is the app that the notice concerns, or empty if it concerns none.
	AppID string
	// Language is the language of the page (BCP 47). If it is empty, the notice is in the session's language.
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
