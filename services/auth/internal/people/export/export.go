package export

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/oauth/connection"
	"vitae.internal/services/auth/internal/people/person"
	"vitae.internal/services/auth/internal/people/session"
)

// Account is a person's account.
type Account struct {
	person.Person
	// Language is a BCP 47 tag, or empty if unknown.
	Language string
	// PasswordSetAt is when the password was last set, or nil if the account has no password.
	PasswordSetAt *time.Time
	// DeletionRequestedAt and DeletionDueAt are nil unless the person has requested the account's deletion.
	DeletionRequestedAt, DeletionDueAt *time.Time
}

// Session is a live browser session.
type Session struct {
	session.Listed
	// Language is the language of the page on which the person signed in, or empty if unknown.
	Language            string
	ExpiresAt, ProvenAt time.Time
}

// Passkey is a passkey without its public key.
type Passkey struct {
	Name      string
	CreatedAt time.Time
	// UsedAt is nil before the first use.
	UsedAt *time.Time
}

// Browser is a browser known to the account (behaviour: sign-in#known-browsers).
type Browser struct {
	SignedInAt, ExpiresAt time.Time
	// WrongPasswords is the number of wrong passwords since SignedInAt.
	WrongPasswords int
}

// ConsoleSession is a session in the developer console.
type ConsoleSession struct{ CreatedAt, UsedAt, ExpiresAt time.Time }

// Connection is a connection to an app, as stored.
type Connection struct {
	ID, AppID, AppName                           string
	Granted, Scopes, Withheld                    []string
	CvID                                         string
	CvSharing, SharePhoto, PhotoWithheld, Legacy bool
	CreatedAt                                    time.Time
	PausedAt, EndsAt, EndedAt                    *time.Time
	// Links are the connection's durable links, oldest first.
	Links []Link
}

// Link is a durable link, but without its URL. EndedAt is nil if the link is live.
type Link struct {
	CreatedAt time.Time
	EndedAt   *time.Time
}

// Read counts how often an app read one kind of data on a UTC day.
type Read struct {
	ConnectionID string
	Day          time.Time
	Kind         string
	Count        int64
	LastAt       time.Time
	// From lists the known countries. The country with the most reads comes first.
	From []connection.ReadsFrom
}

// Membership is a person's role in a developer account.
type Membership struct {
	AccountID, AccountName, Role string
	CreatedAt                    time.Time
}

// Invitation is an open invitation to a developer account, sent to the person's email address.
type Invitation struct {
	AccountID, AccountName, Role string
	CreatedAt, ExpiresAt         time.Time
}

// Sink receives the records one at a time. If it returns an error, the export stops.
type Sink interface {
	Account(Account) error
	Session(Session) error
	Passkey(Passkey) error
	Browser(Browser) error
	ConsoleSession(ConsoleSession) error
	Connection(Connection) error
	Read(Read) error
	Membership(Membership) error
	Invitation(Invitation) error
	Event(audit.Event) error
}

// Store reads records. Every list has a fixed order and starts after the given record.
type Store interface {
	// ExportAccount reads the account. Errors: person.ErrNotFound.
	ExportAccount(ctx context.Context, personID string) (Account, error)
	// ExportSessions omits sessions that have ended by now. The other methods that take now also omit records that
	// have ended.
	ExportSessions(ctx context.Context, personID string, now time.Time) ([]Session, error)
	ExportPasskeys(ctx context.Context, personID string) ([]Passkey, error)
	ExportBrowsers(ctx context.Context, personID string, now time.Time) ([]Browser, error)
	ExportConsoleSessions(ctx context.Context, personID string, now time.Time) ([]ConsoleSession, error)
	ExportInvitations(ctx context.Context, personID string, now time.Time) ([]Invitation, error)
	// ExportConnections returns connections including their links.
	ExportConnections(ctx context.Context, personID, after string, atMost int) ([]Connection, error)
	ExportReads(ctx context.Context, connectionID string, after Read, atMost int) ([]Read, error)
	ExportMemberships(ctx context.Context, personID string) ([]Membership, error)
	// AddNotice queues an email to a person unless a notice with the same id exists.
	AddNotice(ctx context.Context, personID string, n *mail.Notice) error
}

// Events reads the audit log, as auditlog.Store does.
type Events interface {
	Events(ctx context.Context, q auditlog.Query) ([]audit.Event, error)
}

// page is the maximum number of rows that one statement reads.
const page = 500

// Config configures a Service. All fields are required.
type Config struct {
	Store  Store
	Events Events
	Post   mail.Post
	Clock  clock.Clock
}

// Service exports the data that the auth service stores about people.
type Service struct{ cfg Config }

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Events == nil || c.Post.Clock == nil || c.Clock == nil {
		return nil, errors.New("export: Store, Events, Post and Clock are required")
	}
	return &Service{cfg: c}, nil
}

// Read sends all records about a person to the sink. Errors: person.ErrNotFound, and all errors returned by the
// sink.
func (s *Service) Read(ctx context.Context, personID string, to Sink) error {
	if !fault.IsStorable(personID) {
		return person.ErrNotFound
	}
	account, err := s.cfg.Store.ExportAccount(ctx, personID)
	if err != nil {
		return err
	}
	audit.FromContext(ctx).Note(audit.About{PersonID: personID, ObjectID: personID})
	if err := to.Account(account); err != nil {
		return err
	}
	for _, read := range []func(context.Context, string, Sink) error{s.signIn, s.connections, s.memberships, s.events} {
		if err := read(ctx, personID, to); err != nil {
			return err
		}
	}
	return nil
}

// signIn sends the sessions, passkeys and known browsers.
func (s *Service) signIn(ctx context.Context, personID string, to Sink) error {
	now := s.cfg.Clock.Now()
	sessions, err := s.cfg.Store.ExportSessions(ctx, personID, now)
	if err := each(sessions, err, to.Session); err != nil {
		return err
	}
	passkeys, err := s.cfg.Store.ExportPasskeys(ctx, personID)
	if err := each(passkeys, err, to.Passkey); err != nil {
		return err
	}
	browsers, err := s.cfg.Store.ExportBrowsers(ctx, personID, now)
	if err := each(browsers, err, to.Browser); err != nil {
		return err
	}
	console, err := s.cfg.Store.ExportConsoleSessions(ctx, personID, now)
	return each(console, err, to.ConsoleSession)
}

// connections sends each connection, followed by the reads of its app.
func (s *Service) connections(ctx context.Context, personID string, to Sink) error {
	for after := ""; ; {
		all, err := s.cfg.Store.ExportConnections(ctx, personID, after, page)
		if err != nil {
			return err
		}
		for _, c := range all {
			if err := to.Connection(c); err != nil {
				return err
			}
			if err := s.reads(ctx, c.ID, to); err != nil {
				return err
			}
			after = c.ID
		}
		if len(all) < page {
			return nil
		}
	}
}

func (s *Service) reads(ctx context.Context, connectionID string, to Sink) error {
	for after := (Read{}); ; {
		all, err := s.cfg.Store.ExportReads(ctx, connectionID, after, page)
		if err := each(all, err, to.Read); err != nil || len(all) < page {
			return err
		}
		after = all[len(all)-1]
	}
}

// memberships sends the person's roles in developer accounts and the open invitations.
func (s *Service) memberships(ctx context.Context, personID string, to Sink) error {
	all, err := s.cfg.Store.ExportMemberships(ctx, personID)
	if err := each(all, err, to.Membership); err != nil {
		return err
	}
	invitations, err := s.cfg.Store.ExportInvitations(ctx, personID, s.cfg.Clock.Now())
	return each(invitations, err, to.Invitation)
}

// events sends the audit events that concern the person, newest first.
func (s *Service) events(ctx context.Context, personID string, to Sink) error {
	q := auditlog.Query{PersonID: personID, AtMost: page}
	q.After.At = s.cfg.Clock.Now().Add(time.Hour) // other services' clocks may be ahead
	for {
		all, err := s.cfg.Events.Events(ctx, q)
		if err := each(all, err, to.Event); err != nil || len(all) < page {
			return err
		}
		last := all[len(all)-1]
		q.After.At, q.After.ID = last.At, last.ID
	}
}

func each[T any](all []T, err error, take func(T) error) error {
	if err != nil {
		return err
	}
	for _, one := range all {
		if err := take(one); err != nil {
			return err
		}
	}
	return nil
}

// Announce emails the person that an export is available until expiresAt. It sends only one email per export.
// Errors: person.ErrNotFound.
func (s *Service) Announce(ctx context.Context, personID, exportID, language string, expiresAt time.Time) error {
	if !fault.IsStorable(personID) || !fault.IsStorable(exportID) {
		return person.ErrNotFound
	}
	if _, err := s.cfg.Store.ExportAccount(ctx, personID); err != nil {
		return err
	}
	notice := s.cfg.Post.Notice(mail.ExportReady, mail.Occasion{Language: language})
	if notice == nil {
		return nil
	}
	notice.ID, notice.ExpiresAt = "mail_"+exportID, expiresAt
	return s.cfg.Store.AddNotice(ctx, personID, notice)
}
