package mail

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
)

// Kind is what a mail is about. Rows of the outbox hold it.
type Kind string

// The kinds of mail.
const (
	// SignUp verifies the address of a new account, or tells the owner of an account that
	// somebody wanted another one.
	SignUp Kind = "sign_up"
	// Reset has the link that replaces a forgotten password. An address without an account
	// gets none.
	Reset Kind = "password_reset"
	// PasswordChanged and those that follow are notices.
	PasswordChanged Kind = "password_changed"
	// DeletionRequested tells that the account is deleted in a week, and how to stop it.
	DeletionRequested Kind = "deletion_requested"
	// AccountKept tells that the account is not deleted after all.
	AccountKept Kind = "account_kept"
	// ExportReady tells that an export can be downloaded.
	ExportReady Kind = "export_ready"
	// PasswordRemoved is about an account that is left with passkeys.
	PasswordRemoved Kind = "password_removed"
	// PasskeyAdded and PasskeyRemoved are about ways in.
	PasskeyAdded   Kind = "passkey_added"
	PasskeyRemoved Kind = "passkey_removed"
	// NewSignIn is about a sign-in in a browser that the account did not know.
	NewSignIn Kind = "new_sign_in"
	// AppConnected is about an app that the person has allowed something, AppAllowedMore about
	// one that may see more than before.
	AppConnected   Kind = "app_connected"
	AppAllowedMore Kind = "app_allowed_more"
	// Invitation has the link by which a person joins a developer account.
	Invitation Kind = "invitation"
	// KeyCreated, SecretCreated and MemberJoined tell the owners of a developer account.
	KeyCreated    Kind = "key_created"
	SecretCreated Kind = "secret_created"
	MemberJoined  Kind = "member_joined"
)

// Kinds are all kinds of mail.
var Kinds = []Kind{
	SignUp, Reset, PasswordChanged, PasswordRemoved, PasskeyAdded, PasskeyRemoved, NewSignIn, AppConnected, AppAllowedMore,
	DeletionRequested, AccountKept, ExportReady, Invitation, KeyCreated, SecretCreated, MemberJoined,
}

// The lives of links, which are the lives of the mails with them.
const (
	SignUpLife = 24 * time.Hour
	ResetLife  = time.Hour
	// InvitationLife is how long an invitation can be accepted.
	InvitationLife = 7 * 24 * time.Hour
	// NoticeLife is how long a notice is tried.
	NoticeLife = 72 * time.Hour
)

// life is how long a mail is worth something.
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

// ErrOff is for what needs mail where none is sent.
var ErrOff = errs.New(errs.Precondition, "MAIL_OFF", "No mail is sent here.")

// Entry is a mail that waits in the outbox.
type Entry struct {
	// ID makes the Message-ID.
	ID   string
	Kind Kind
	// Email is where to, EmailKey the form that is unique among people.
	Email, EmailKey string
	// Link is the id of the link in the mail (package maillink), empty for none.
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

// Notice tells a person what was done to the person's account. The store knows the address,
// and the browser of the session in which it was done.
type Notice struct {
	// ID makes the Message-ID. Of two notices with one id one is sent.
	ID   string
	Kind Kind
	Occasion
	CreatedAt, ExpiresAt time.Time
}

// Event is something in a developer account of which its owners are told.
type Event struct {
	Kind Kind
	// AppID is the app that it is about, SubjectID the person who made a credential or joined.
	AccountID, AppID, SubjectID string
	At                          time.Time
}

// To is the email about an event to an owner.
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
	// whether operators have verified it. SubjectEmail and SubjectRole are of the person of an Event.
	AccountName               string
	AccountVerified           bool
	SubjectEmail, SubjectRole string
	// Attempts is how many there were, this one included.
	Attempts int
	// PersonID is the person of the address, empty if it has no account. PersonEmail is the
	// address as the account has it, PersonLanguage its language, which may be empty.
	PersonID, PersonEmail, PersonLanguage string
}

// Outbox keeps entries.
type Outbox interface {
	// LeaseMail gives entries that are due, and keeps other replicas from them until the
	// given time.
	LeaseMail(ctx context.Context, now, until time.Time, atMost int) ([]Due, error)
	// DeferMail has an entry sent again at the given time.
	DeferMail(ctx context.Context, id string, at time.Time) error
	// DropMail deletes an entry.
	DropMail(ctx context.Context, id string) error
}

// Message is a mail as it is sent.
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

// Errors of a Transport. Any other error is a refusal that may pass.
var (
	// ErrUnusable says that the server cannot be reached, or does not take mail from here at
	// all.
	ErrUnusable = errors.New("the mail server cannot be used")
	// ErrRefused says that the server will never take this mail.
	ErrRefused = errors.New("the mail is refused")
)

// Transport hands mail over.
type Transport interface {
	// Send returns after the mail has been taken.
	Send(ctx context.Context, m Message) error
}
