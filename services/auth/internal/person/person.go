// Package person is about people's accounts: who can sign in. Their profiles and
// CVs belong to the candidate service under the same id.
//
// It must never hand out a password or its hash beyond the sign-in check.
package person

import (
	"context"
	"strings"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/password"
)

// Person is a person's account.
type Person struct {
	ID            string
	Email         string
	EmailVerified bool
	CreatedAt     time.Time
}

// Errors of the package.
var (
	ErrNotFound   = errs.New(errs.NotFound, "PERSON_NOT_FOUND", "There is no such person.")
	ErrEmailTaken = errs.New(errs.Exists, "EMAIL_TAKEN", "The e-mail address is taken.").WithField("email")
)

// Store keeps people.
type Store interface {
	// CreatePerson stores a person; ErrEmailTaken.
	CreatePerson(ctx context.Context, p Person, emailKey, passwordHash string) error
	// Person and PersonByEmail read one; ErrNotFound. PersonByEmail also gives the
	// stored password hash.
	Person(ctx context.Context, id string) (Person, error)
	PersonByEmail(ctx context.Context, emailKey string) (Person, string, error)
}

// People creates and reads people.
type People struct {
	store  Store
	hasher *password.Hasher
	clock  clock.Clock
}

// New makes a People.
func New(store Store, hasher *password.Hasher, c clock.Clock) *People {
	return &People{store: store, hasher: hasher, clock: c}
}

// Creation is a person to create.
type Creation struct {
	Email         string
	Password      string
	EmailVerified bool
	// ValidateOnly makes every check and writes nothing.
	ValidateOnly bool
}

// Create creates a person. Errors: ErrEmailTaken.
func (p *People) Create(ctx context.Context, c Creation) (Person, error) {
	key := EmailKey(c.Email)
	if c.ValidateOnly {
		if _, _, err := p.store.PersonByEmail(ctx, key); err == nil {
			return Person{}, ErrEmailTaken
		} else if !errs.HasCode(err, ErrNotFound.Code) {
			return Person{}, err
		}
		return Person{}, nil
	}
	hash, err := p.hasher.Hash(ctx, c.Password)
	if err != nil {
		return Person{}, err
	}
	made := Person{ID: id.New("usr"), Email: c.Email, EmailVerified: c.EmailVerified, CreatedAt: p.clock.Now()}
	if err := p.store.CreatePerson(ctx, made, key, hash); err != nil {
		return Person{}, err
	}
	return made, nil
}

// Get reads a person by id. Errors: ErrNotFound.
func (p *People) Get(ctx context.Context, personID string) (Person, error) {
	return p.store.Person(ctx, personID)
}

// GetByEmail reads a person by e-mail address, in any case. Errors: ErrNotFound.
func (p *People) GetByEmail(ctx context.Context, email string) (Person, error) {
	found, _, err := p.store.PersonByEmail(ctx, EmailKey(email))
	return found, err
}

// EmailKey is the form in which addresses are unique.
func EmailKey(email string) string { return strings.ToLower(strings.TrimSpace(email)) }
