package persondata

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/auditlog"
	"vitae.internal/services/auth/internal/connection"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/session"
)

// Account is the account of a person.
type Account struct {
	person.Person
	// Language is a BCP 47 tag; empty when none is known.
	Language string
	// PasswordSetAt is when the password was set last; nil for an account without one.
	PasswordSetAt *time.Time
	// DeletionRequestedAt is when the person has asked for the deletion of the account, and
	// DeletionDueAt when it is deleted; nil if the person has not.
	DeletionRequestedAt, DeletionDueAt *time.Time
}

// Session is a browser session that lives.
type Session struct {
	session.Listed
	// Language is that of the page of the sign-in; empty when none is known.
	Language            string
	ExpiresAt, ProvenAt time.Time
}

// Passkey is a passkey without its key.
type Passkey struct {
	Name      string
	CreatedAt time.Time
	// UsedAt is nil before the first use.
	UsedAt *time.Time
}

// Browser is a browser that the account knows (behaviour: sign-in#known-browsers).
type Browser struct {
	SignedInAt, ExpiresAt time.Time
	// WrongPasswords were given there since then.
	WrongPasswords int
}

// ConsoleSession is a session in the developer console.
type ConsoleSession struct{ CreatedAt, UsedAt, ExpiresAt time.Time }

// Connection is a consent, as it is stored.
type Connection struct {
	ID, AppID, AppName                           string
	Granted, Scopes, Withheld                    []string
	CvID                                         string
	CvSharing, SharePhoto, PhotoWithheld, Legacy bool
	CreatedAt                                    time.Time
	PausedAt, EndsAt, EndedAt                    *time.Time
	// Links are its durable links, oldest first.
	Links []Link
}

// Link is a durable link without its address. EndedAt is nil for one that works.
type Link struct {
	CreatedAt time.Time
	EndedAt   *time.Time
}

// Read is what an app has read on a UTC day.
type Read struct {
	ConnectionID string
	Day          time.Time
	Kind         string
	Count        int64
	LastAt       time.Time
	// From are the countries that are known, that with most reads first.
	From []connection.ReadsFrom
}

// Membership is a role in a developer account.
type Membership struct {
	AccountID, AccountName, Role string
	CreatedAt                    time.Time
}

// Invitation is an open invitation of the person's address to a developer account.
type Invitation struct {
	AccountID, AccountName, Role string
	CreatedAt, ExpiresAt         time.Time
}

// Taker takes the pieces, one after the other. Its errors end the reading.
type Taker interface {
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

// Store reads pages. Every list is in a fixed order and begins after the given place.
type Store interface {
	// ExportAccount reads the account; person.ErrNotFound.
	ExportAccount(ctx context.Context, personID string) (Account, error)
	// ExportSessions and the others with a time leave out what has ended then.
	ExportSessions(ctx context.Context, personID string, now time.Time) ([]Session, error)
	ExportPasskeys(ctx context.Context, personID string) ([]Passkey, error)
	ExportBrowsers(ctx context.Context, personID string, now time.Time) ([]Browser, error)
	ExportConsoleSessions(ctx context.Context, personID string, now time.Time) ([]ConsoleSession, error)
	ExportInvitations(ctx context.Context, personID string, now time.Time) ([]Invitation, error)
	// ExportConnections gives connections with their links.
	ExportConnections(ctx context.Context, personID, after string, atMost int) ([]Connection, error)
	ExportReads(ctx context.Context, connectionID string, after Read, atMost int) ([]Read, error)
	ExportMemberships(ctx context.Context, personID string) ([]Membership, error)
	// Events is that of auditlog.Store.
	Events(ctx context.Context, q auditlog.Query) ([]audit.Event, error)
	// AddNotice notes a mail to a person, unless one with its id was noted before.
	AddNotice(ctx context.Context, personID string, n *mail.Notice) error
}

// page is how many rows one statement reads.
const page = 500

// Config is what a Service is made of. All fields are required.
type Config struct {
	Store Store
	Post  mail.Post
	Clock clock.Clock
}

// Service reads what auth holds.
type Service struct{ cfg Config }

// NewService makes a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Post.Clock == nil || c.Clock == nil {
		return nil, errors.New("persondata: Store, Post and Clock are required")
	}
	return &Service{cfg: c}, nil
}

// Read gives all pieces to the taker. Errors: person.ErrNotFound; those of the taker.
func (s *Service) Read(ctx context.Context, personID string, to Taker) error {
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
	for _, read := range []func(context.Context, string, Taker) error{s.waysIn, s.connections, s.memberships, s.events} {
		if err := read(ctx, personID, to); err != nil {
			return err
		}
	}
	return nil
}

// waysIn gives what is about signing in.
func (s *Service) waysIn(ctx context.Context, personID string, to Taker) error {
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

// connections gives each connection, and after it what its app has read.
func (s *Service) connections(ctx context.Context, personID string, to Taker) error {
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

func (s *Service) reads(ctx context.Context, connectionID string, to Taker) error {
	for after := (Read{}); ; {
		all, err := s.cfg.Store.ExportReads(ctx, connectionID, after, page)
		if err := each(all, err, to.Read); err != nil || len(all) < page {
			return err
		}
		after = all[len(all)-1]
	}
}

// memberships gives the developer accounts of which the person is a member, and those to which
// the address is invited.
func (s *Service) memberships(ctx context.Context, personID string, to Taker) error {
	all, err := s.cfg.Store.ExportMemberships(ctx, personID)
	if err := each(all, err, to.Membership); err != nil {
		return err
	}
	invitations, err := s.cfg.Store.ExportInvitations(ctx, personID, s.cfg.Clock.Now())
	return each(invitations, err, to.Invitation)
}

// events gives the events of the audit log that concern the person, newest first.
func (s *Service) events(ctx context.Context, personID string, to Taker) error {
	q := auditlog.Query{PersonID: personID, AtMost: page}
	q.After.At = s.cfg.Clock.Now().Add(time.Hour) // events of other parts have their clocks
	for {
		all, err := s.cfg.Store.Events(ctx, q)
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

// Announce has a mail sent about an export that is ready until expiresAt, once for each.
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
