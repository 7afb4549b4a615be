package mail

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
)

// Kind is the subject of an email. The values are stored in the outbox.
type Kind string

// The kinds of email.
const (
	// SignUp verifies the address of a new account. If the address has one already, it informs the
	// owner of the attempt.
	SignUp Kind = "sign_up"
	// Reset contains the link that replaces a forgotten password. It is not sent to an address
	// without an account.
	Reset Kind = "password_reset"
	// PasswordChanged and the following kinds, up to AppAllowedMore, are notices.
	PasswordChanged Kind = "password_changed"
	// DeletionRequested announces that the account is deleted in a week, and how to stop it.
	DeletionRequested Kind = "deletion_requested"
	// AccountKept confirms that the deletion of the account was stopped.
	AccountKept Kind = "account_kept"
	// ExportReady announces that an export can be downloaded.
	ExportReady Kind = "export_ready"
	// PasswordRemoved reports that only passkeys are left to sign in with.
	PasswordRemoved Kind = "password_removed"
	// PasskeyAdded and PasskeyRemoved report a change of the passkeys.
	PasskeyAdded   Kind = "passkey_added"
	PasskeyRemoved Kind = "passkey_removed"
	// NewSignIn reports a sign-in in a browser that the account did not know.
	NewSignIn Kind = "new_sign_in"
	// AppConnected reports that the person connected an app, AppAllowedMore that an app may see
	// more than before.
	AppConnected   Kind = "app_connected"
	AppAllowedMore Kind = "app_allowed_more"
	// Invitation contains the link with which a person joins a developer account.
	Invitation Kind = "invitation"
	// KeyCreated and the following kinds are sent to the owners of a developer account.
	KeyCreated       Kind = "key_created"
	SecretCreated    Kind = "secret_created"
	MemberJoined     Kind = "member_joined"
	AccountSuspended Kind = "account_suspended"
	AccountResumed   Kind = "account_resumed"
)

// Kinds are all kinds of email.
var Kinds = []Kind{
	SignUp, Reset, PasswordChanged, PasswordRemoved, PasskeyAdded, PasskeyRemoved, NewSignIn, AppConnected, AppAllowedMore,
	DeletionRequested, AccountKept, ExportReady, Invitation, KeyCreated, SecretCreated, MemberJoined, AccountSuspended, AccountResumed,
}

// The lifetimes of links, and of the emails that contain them.
const (
	SignUpLife = 24 * time.Hour
	ResetLife  = time.Hour
	// InvitationLife is how long an invitation can be accepted.
	InvitationLife = 7 * 24 * time.Hour
	// NoticeLife is how long the job tries to send a notice.
	NoticeLife = 72 * time.Hour
)

// life returns how long an email is useful.
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

// ErrOff is returned for operations that need email on a deployment that sends none.
var ErrOff = errs.New(errs.Precondition, "MAIL_OFF", "No mail is sent here.")

// Entry is an email in the outbox.
type Entry struct {
	// ID makes the Message-ID.
	ID   string
	Kind Kind
	// Email is the address to send to, EmailKey the form that is unique among people.
	Email, EmailKey string
	// Link is the id of the email's link (package maillink), empty for none.
	Link string
	// Language is a BCP 47 tag.
	Language             string
	CreatedAt, ExpiresAt time.Time
	// AppID, AccountID and SubjectID are those of an Event, AccountID that of an invitation;
	// empty for other emails.
	AppID, AccountID, SubjectID string
}

// NewEntry makes an entry that is to be sent at once.
func NewEntry(kind Kind, email, emailKey, link, language string, now time.Time) Entry {
	return Entry{
		ID: id.New("mail"), Kind: kind, Email: email, EmailKey: emailKey, Link: link, Language: language,
		CreatedAt: now, ExpiresAt: now.Add(kind.life()),
	}
}

// Notice informs people about what was done to their accounts. The store adds the address, and the
// browser of the session in which it was done.
type Notice struct {
	// ID makes the Message-ID. Only one of several notices with the same id is sent.
	ID   string
	Kind Kind
	Occasion
	CreatedAt, ExpiresAt time.Time
}

// Event is a change of a developer account that its owners are informed about.
type Event struct {
	Kind Kind
	// AppID is the app that it is about, SubjectID the person who made a credential or joined; empty
	// for the actions of operators.
	AccountID, AppID, SubjectID string
	At                          time.Time
}

// ByOperators reports whether only operators can cause the event. Its emails count against no
// budget, so that a member cannot keep the owners from being told.
func (e Event) ByOperators() bool { return e.Kind == AccountSuspended || e.Kind == AccountResumed }

// To returns the email about the event to an owner.
func (e Event) To(email, emailKey string) Entry {
	entry := NewEntry(e.Kind, email, emailKey, "", "", e.At)
	entry.AppID, entry.AccountID, entry.SubjectID = e.AppID, e.AccountID, e.SubjectID
	return entry
}

// Due is an entry that a replica sends now.
type Due struct {
	Entry
	// Browser and System are those of a Notice, by their names; AppName is what the app of a
	// Notice is called, and Country where it was done, as ISO 3166-1 alpha-2. They are empty for
	// what is not known.
	Browser, System, Country, AppName string
	// AccountName is what the account of an Event or an invitation is called, AccountVerified
	// whether operators have verified it. SuspensionReason is the operators' reason while it is
	// suspended. SubjectEmail and SubjectRole are of the person of an Event.
	AccountName, SuspensionReason string
	AccountVerified               bool
	SubjectEmail, SubjectRole     string
	// Attempts is how many there were, this one included.
	Attempts int
	// PersonID is the person of the address, empty if it has no account. PersonEmail is the
	// address as the account has it, PersonLanguage its language, which may be empty.
	PersonID, PersonEmail, PersonLanguage string
}

type Outbox interface {
	// LeaseMail returns due entries, and leases them so that no other replica gets them until the
	// given time.
	LeaseMail(ctx context.Context, now, until time.Time, atMost int) ([]Due, error)
	// DeferMail schedules the next attempt to send an entry.
	DeferMail(ctx context.Context, id string, at time.Time) error
	// DropMail deletes an entry.
	DropMail(ctx context.Context, id string) error
}

type Message struct {
	// ID is the Message-ID without the angle brackets.
	ID       string
	To       string
	Subject  string
	Text     string
	HTML     string
	Language string
	Date     time.Time
}

// Errors of a Transport. Any other error is temporary.
var (
	// ErrUnusable means that the server cannot be reached, or accepts no email from this client.
	ErrUnusable = errors.New("the mail server cannot be used")
	// ErrRefused means that the server will never accept this message.
	ErrRefused = errors.New("the mail is refused")
)

// Transport sends messages.
type Transport interface {
	// Send returns nil once the server has accepted the message.
	Send(ctx context.Context, m Message) error
}
