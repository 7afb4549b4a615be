package person

import (
	"context"
	"errors"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/people/password"
)

// Errors returned by this package.
var (
	ErrNotFound   = errs.New(errs.NotFound, "PERSON_NOT_FOUND", "There is no such person.")
	ErrEmailTaken = errs.New(errs.Exists, "EMAIL_TAKEN", "The e-mail address is taken.").WithField("email")
)

// Store stores people.
type Store interface {
	// CreatePerson stores a person. Errors: ErrEmailTaken.
	CreatePerson(ctx context.Context, p Person, emailKey, passwordHash string) error
	// Person reads a person. Errors: ErrNotFound.
	Person(ctx context.Context, id string) (Person, error)
	// PersonByEmail reads a person and the stored password hash. Errors: ErrNotFound.
	PersonByEmail(ctx context.Context, emailKey string) (Person, string, error)
	// PeopleByEmail lists people whose email address starts with prefix, ordered by email address.
	PeopleByEmail(ctx context.Context, prefix string, atMost int) ([]Person, error)
}

// Config configures a Service. All fields are required.
type Config struct {
	Store  Store
	Hasher *password.Hasher
	Clock  clock.Clock
}

// Service creates and reads people.
type Service struct {
	store  Store
	hasher *password.Hasher
	clock  clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Hasher == nil || c.Clock == nil {
		return nil, errors.New("person: Store, Hasher and Clock are required")
	}
	return &Service{store: c.Store, hasher: c.Hasher, clock: c.Clock}, nil
}

// Creation describes a person to create. The email address's format and the password's length have already been
// checked against the .proto file.
type Creation struct {
	Email         string
	Password      string
	EmailVerified bool
	// ValidateOnly makes Create check everything, but write nothing.
	ValidateOnly bool
}

// Create creates a person. If ValidateOnly is set, it returns an empty Person. Errors: Invalid for a common
// password; ErrEmailTaken.
func (s *Service) Create(ctx context.Context, c Creation) (Person, error) {
	faults := fault.Argument()
	c.Email = emailaddress.Check(faults, "email", c.Email)
	if password.IsCommon(c.Password) {
		faults.Add("password", "is one of the most common passwords, which are guessed first")
	}
	if c.ValidateOnly {
		return Person{}, s.check(ctx, c, faults)
	}
	if err := faults.Err(); err != nil {
		return Person{}, err
	}
	hash, err := s.hasher.Hash(ctx, password.Share{Class: password.Creations}, c.Password)
	if err != nil {
		return Person{}, err
	}
	made := Person{ID: id.New("usr"), Email: c.Email, EmailVerified: c.EmailVerified, CreatedAt: s.clock.Now()}
	if err := s.store.CreatePerson(ctx, made, EmailKey(c.Email), hash); err != nil {
		return Person{}, err
	}
	return made, nil
}

// check returns the errors that the creation would cause. If the email address is taken, that is one of the
// validation errors, or ErrEmailTaken if there are no others.
func (s *Service) check(ctx context.Context, c Creation, faults *fault.List) error {
	_, err := s.GetByEmail(ctx, c.Email)
	switch {
	case errs.HasCode(err, ErrNotFound.Code):
		return faults.Err()
	case err != nil:
		return err
	case faults.Err() == nil:
		return ErrEmailTaken
	}
	if err := faults.Merge(ErrEmailTaken); err != nil {
		return err
	}
	return faults.Err()
}

// Get reads a person by id. Errors: ErrNotFound.
func (s *Service) Get(ctx context.Context, personID string) (Person, error) {
	if !fault.IsStorable(personID) {
		return Person{}, ErrNotFound
	}
	return s.store.Person(ctx, personID)
}

// GetByEmail reads a person by email address, ignoring case. Errors: ErrNotFound.
func (s *Service) GetByEmail(ctx context.Context, email string) (Person, error) {
	key := EmailKey(email)
	if !fault.IsStorable(key) {
		return Person{}, ErrNotFound
	}
	found, _, err := s.store.PersonByEmail(ctx, key)
	return found, err
}

const (
	// usualFound and maxFound are the default and maximum number of results of Find.
	usualFound = 100
	maxFound   = 1000
)

// Find lists people whose email address starts with text. If text is the id of a person, it returns that person.
func (s *Service) Find(ctx context.Context, text string, atMost int) ([]Person, error) {
	if !fault.IsStorable(text) {
		return nil, nil
	}
	if id.Valid("usr", text) {
		p, err := s.store.Person(ctx, text)
		if errors.Is(err, ErrNotFound) {
			return nil, nil
		}
		return []Person{p}, err
	}
	if atMost = min(atMost, maxFound); atMost == 0 {
		atMost = usualFound
	}
	return s.store.PeopleByEmail(ctx, EmailKey(text), atMost)
}
