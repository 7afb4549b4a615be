package mail

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
)

// Kind is a kind of email. The values are stored in the outbox.
type Kind string

// The kinds of emails.
const (
	// SignUp verifies the email address of a new account. If the address already has an account,
	// the email informs its owner of the attempt.
	SignUp Kind = "sign_up"
	// Reset contains the link for replacing a forgotten password. It is not sent to an address without an account.
	Reset Kind = "password_reset"
	// PasswordChanged and the kinds that follow, up to AppAllowedMore, are notices.
	PasswordChanged Kind = "password_changed"
	// DeletionRequested announces that the account will be deleted in a week, and explains how to
	// stop that.
	DeletionRequested Kind = "deletion_requested"
	// AccountKept confirms that the account's deletion has been canceled.
	AccountKept Kind = "account_kept"
	// ExportReady announces that an export can be downloaded.
	ExportReady Kind = "export_ready"
	// PasswordRemoved reports that the person can now sign in only with passkeys.
	PasswordRemoved Kind = "password_removed"
	// PasskeyAdded and PasskeyRemoved report that a passkey was added or removed.
	PasskeyAdded   Kind = "passkey_added"
	PasskeyRemoved Kind = "passkey_removed"
	// NewSignIn reports a sign-in from a browser in which the account has not been used before.
	NewSignIn Kind = "new_sign_in"
	// AppConnected reports that the person has connected an app; AppAllowedMore reports that an app may see more
	// than before.
	AppConnected   Kind = "app_connected"
	AppAllowedMore Kind = "app_allowed_more"
	// Invitation contains the link for joining a developer account.
	Invitation Kind = "invitation"
	// KeyCreated and the kinds that follow are sent to the owners of a developer account.
	KeyCreated       Kind = "key_created"
	SecretCreated    Kind = "secret_created"
	MemberJoined     Kind = "member_joined"
	AccountSuspended Kind = "account_suspended"
	AccountResumed   Kind = "account_resumed"
)

// Kinds lists all kinds of emails.
var Kinds = []Kind{
	SignUp, Reset, PasswordChanged, PasswordRemoved, PasskeyAdded, PasskeyRemoved, NewSignIn, AppConnected, AppAllowedMore,
	DeletionRequested, AccountKept, ExportReady, Invitation, KeyCreated, SecretCreated, MemberJoined, AccountSuspended, AccountResumed,
}

// These are the lifetimes of links, and of the emails that contain them.
const (
	SignUpLife = 24 * time.Hour
	ResetLife  = time.Hour
	// InvitationLife is how long an invitation can be accepted.
	InvitationLife = 7 * 24 * time.Hour
	// NoticeLife is how long the job tries to send a notice.
	NoticeLife = 72 * time.Hour
)

// life returns how long an email of this kind remains useful.
func (k Kind) life() time.Duration {
	switch k {
	case SignUp:
		return SignUpLife
	case Reset:
		return ResetLife
	case Invitation:
		return InvitationLife
	default:
		return NoticeLife
	}
}

// ErrOff is returned by operations that need email if the deployment doesn't send any.
var ErrOff = errs.New(errs.Precondition, "MAIL_OFF", "This deployment sends no email.")

// Entry is an email in the outbox.
type Entry struct {
	// ID becomes part of the Message-ID.
	ID   string
	Kind Kind
	// Email is the recipient's address; EmailKey is its canonical form, which is unique among
	// people.
	Email, EmailKey string
	// Link is the id of the email's link (package maillink), or empty if it has none.
	Link string
	// Language is a BCP 47 tag.
	Language             string
	CreatedAt, ExpiresAt time.Time
	// AppID, AccountID and SubjectID are copied from an Event. AccountID is also set for an
	// invitation. They are empty for other emails.
	AppID, AccountID, SubjectID string
}

// NewEntry returns an entry that is to be sent immediately.
func NewEntry(kind Kind, email, emailKey, link, language string, now time.Time) Entry {
	return Entry{
		ID: id.New("mail"), Kind: kind, Email: email, EmailKey: emailKey, Link: link, Language: language,
		CreatedAt: now, ExpiresAt: now.Add(kind.life()),
	}
}

// Notice informs people about an action on their account. The store adds the person's email address, and the browser
// of the session in which the action was taken.
type Notice struct {
	// ID becomes part of the Message-ID. If several notices have the same id, only one of them is sent.
	ID   string
	Kind Kind
	Occasion
	CreatedAt, ExpiresAt time.Time
}

// Event is a change to a developer account about which its owners are informed.
type Event struct {
	Kind Kind
	// AppID is the app concerned. SubjectID is the person who created a credential or joined the account. It is
	// empty for actions by operators.
	AccountID, AppID, SubjectID string
	At                          time.Time
}

// ByOperators reports whether only operators can cause the event. Emails about such events count against no budget,
// so members cannot prevent the owners from being informed.
func (e Event) ByOperators() bool { return e.Kind == AccountSuspended || e.Kind == AccountResumed }

// To returns the email that informs an owner of the event.
func (e Event) To(email, emailKey string) Entry {
	entry := NewEntry(e.Kind, email, emailKey, "", "", e.At)
	entry.AppID, entry.AccountID, entry.SubjectID = e.AppID, e.AccountID, e.SubjectID
	return entry
}

// Due is an entry that a replica is about to send.
type Due struct {
	Entry
	// Browser and System name the browser and operating system in a Notice. AppName is the name of the notice's app.
	// Country is where the action was taken, as an ISO 3166-1 alpha-2 code. Unknown fields are empty.
	Browser, System, Country, AppName string
	// AccountName is the name of the account in an Event or invitation. AccountVerified reports whether operators
	// have verified that account. SuspensionReason is the reason stated by operators, if the account is suspended.
	// SuspendedAt is set only for AccountSuspended. SubjectEmail and SubjectRole belong to the person in an Event.
	AccountName, SuspensionReason string
	SuspendedAt                   *time.Time
	AccountVerified               bool
	SubjectEmail, SubjectRole     string
	// Attempts is the number of attempts to send the email, including the current one.
	Attempts int
	// PersonID is the person who has the email address, or empty if the address has no account. PersonEmail is the
	// address as stored in that account. PersonLanguage is the account's language, which may be empty.
	PersonID, PersonEmail, PersonLanguage string
}

type Outbox interface {
	// LeaseMail returns entries that are due, and leases them until the given time, so that no other replica sends
	// them too.
	LeaseMail(ctx context.Context, now, until time.Time, atMost int) ([]Due, error)
	// DeferMail sets when the next attempt to send an entry is made.
	DeferMail(ctx context.Context, id string, at time.Time) error
	// DropMail deletes an entry.
	DropMail(ctx context.Context, id string) error
}

type Message struct {
	// ID is the Message-ID without angle brackets.
	ID       string
	To       string
	Subject  string
	Text     string
	HTML     string
	Language string
	Date     time.Time
}

// Errors that a Transport returns. All other errors are temporary.
var (
	// ErrUnusable means that the server cannot be reached or accepts no email from this service.
	ErrUnusable = errors.New("the mail server cannot be used")
	// ErrRefused means that the server will never accept this message.
	ErrRefused = errors.New("the email is rejected")
)

// Transport sends messages.
type Transport interface {
	// Send returns nil once the server has accepted the message.
	Send(ctx context.Context, m Message) error
}
