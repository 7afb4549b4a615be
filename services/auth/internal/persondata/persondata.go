package persondata

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/auditlog"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/person"
	"vitae.internal/services/auth/internal/session"
)

// Account is the account of a person.
type Account struct {
	person.Person
	// Language is a BCP 47 tag; empty when none is known.
	Language      string
	PasswordSetAt time.Time
}

// Connection is a consent, as it is stored.
type Connection struct {
	ID, AppID, AppName            string
	Granted, Scopes               []string
	CvID                          string
	CvSharing, SharePhoto, Legacy bool
	CreatedAt                     time.Time
	PausedAt, EndsAt, EndedAt     *time.Time
}

// Read is what an app has read on a UTC day.
type Read struct {
	ConnectionID string
	Day          time.Time
	Kind         string
	Count        int64
	LastAt       time.Time
}

// Membership is a role in a developer account.
type Membership struct {
	AccountID, AccountName, Role string
	CreatedAt                    time.Time
}

// Taker takes the pieces, one after the other. Its errors end the reading.
type Taker interface {
	Account(Account) error
	Session(session.Listed) error
	Connection(Connection) error
	Read(Read) error
	Membership(Membership) error
	Event(audit.Event) error
}

// Store reads pages. Every list is in a fixed order and begins after the given place.
type Store interface {
	// ExportAccount reads the account; person.ErrNotFound.
	ExportAccount(ctx context.Context, personID string) (Account, error)
	ExportConnections(ctx context.Context, personID, after string, atMost int) ([]Connection, error)
	ExportReads(ctx context.Context, connectionID string, after Read, atMost int) ([]Read, error)
	ExportMemberships(ctx context.Context, personID string) ([]Membership, error)
	// Sessions is that of session.Store.
	Sessions(ctx context.Context, personID string, own credential.Digest, now time.Time, atMost int) ([]session.Listed, error)
	// Events is that of auditlog.Store.
	Events(ctx context.Context, q auditlog.Query) ([]audit.Event, error)
	// AddExportMail notes the mail about an export, unless it was noted before.
	AddExportMail(ctx context.Context, e mail.Entry) error
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
	for _, read := range []func(context.Context, string, Taker) error{s.sessions, s.connections, s.memberships, s.events} {
		if err := read(ctx, personID, to); err != nil {
			return err
		}
	}
	return nil
}

// mostSessions bounds the list of sessions.
const mostSessions = 1000

func (s *Service) sessions(ctx context.Context, personID string, to Taker) error {
	all, err := s.cfg.Store.Sessions(ctx, personID, credential.Digest{}, s.cfg.Clock.Now(), mostSessions)
	return each(all, err, to.Session)
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

func (s *Service) memberships(ctx context.Context, personID string, to Taker) error {
	all, err := s.cfg.Store.ExportMemberships(ctx, personID)
	return each(all, err, to.Membership)
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

// Announce has a mail sent about an export that is ready, once for each. Errors:
// person.ErrNotFound.
func (s *Service) Announce(ctx context.Context, personID, exportID, language string) error {
	if !fault.IsStorable(personID) || !fault.IsStorable(exportID) {
		return person.ErrNotFound
	}
	account, err := s.cfg.Store.ExportAccount(ctx, personID)
	if err != nil {
		return err
	}
	notice := s.cfg.Post.Notice(mail.ExportReady, account.Email, person.EmailKey(account.Email), language)
	if notice == nil {
		return nil
	}
	notice.ID = "mail_" + exportID
	return s.cfg.Store.AddExportMail(ctx, *notice)
}
