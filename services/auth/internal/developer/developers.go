package developer

import (
	"context"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/forget"
)

// Hash is the SHA-256 of a secret.
type Hash = [32]byte

// Teller makes Redis forget what a committed change made stale.
type Teller interface {
	Tell(ctx context.Context, o forget.Order) error
}

// Store keeps accounts, apps and keys. Methods that make session records stale
// return the order to forget them, written in the same transaction.
type Store interface {
	CreateAccount(ctx context.Context, a Account) error
	// Account, SuspendAccount, ResumeAccount and SetPlan give ErrAccountNotFound.
	Account(ctx context.Context, id string) (Account, error)
	SuspendAccount(ctx context.Context, id string, now time.Time) (Account, forget.Order, error)
	ResumeAccount(ctx context.Context, id string, now time.Time) (Account, forget.Order, error)
	SetPlan(ctx context.Context, id string, p Plan, now time.Time) (Account, forget.Order, error)
	// CreateApp stores an app; secret is nil for a public client. ErrAccountNotFound.
	CreateApp(ctx context.Context, a App, secret *Hash) error
	// App gives ErrAppNotFound.
	App(ctx context.Context, id string) (App, error)
	// ReplaceClientSecret gives ErrAppNotFound, also for a public client.
	ReplaceClientSecret(ctx context.Context, appID string, secret Hash) (App, error)
	// CreateAPIKey gives ErrAppNotFound.
	CreateAPIKey(ctx context.Context, k APIKey, secret Hash) error
	// APIKeys lists the keys of an app, newest first, deleted ones left out.
	APIKeys(ctx context.Context, appID string) ([]APIKey, error)
	// DeleteAPIKey gives ErrKeyNotFound, with the order of a deletion before if that
	// is still open.
	DeleteAPIKey(ctx context.Context, id string, now time.Time) (forget.Order, error)
}

// Developers manages accounts, apps and keys.
type Developers struct {
	store  Store
	teller Teller
	clock  clock.Clock
}

// New makes a Developers.
func New(store Store, teller Teller, c clock.Clock) *Developers {
	return &Developers{store: store, teller: teller, clock: c}
}

// CreateAccount creates an account. With validateOnly it makes every check and
// writes nothing.
func (d *Developers) CreateAccount(ctx context.Context, name, email string, p Plan, validateOnly bool) (Account, error) {
	if err := checkPlan(p); err != nil || validateOnly {
		return Account{}, err
	}
	a := Account{ID: id.New("dev"), Name: name, Email: email, Plan: p, CreatedAt: d.clock.Now()}
	return a, d.store.CreateAccount(ctx, a)
}

// Account reads an account. Errors: ErrAccountNotFound.
func (d *Developers) Account(ctx context.Context, accountID string) (Account, error) {
	return d.store.Account(ctx, accountID)
}

// Suspend refuses every app of an account from the answer on. Errors:
// ErrAccountNotFound.
func (d *Developers) Suspend(ctx context.Context, accountID string) (Account, error) {
	a, order, err := d.store.SuspendAccount(ctx, accountID, d.clock.Now())
	return d.told(ctx, a, order, err)
}

// Resume lifts a suspension. Errors: ErrAccountNotFound.
func (d *Developers) Resume(ctx context.Context, accountID string) (Account, error) {
	a, order, err := d.store.ResumeAccount(ctx, accountID, d.clock.Now())
	return d.told(ctx, a, order, err)
}

// SetPlan changes the plan of an account. Errors: ErrAccountNotFound; Invalid.
func (d *Developers) SetPlan(ctx context.Context, accountID string, p Plan) (Account, error) {
	if err := checkPlan(p); err != nil {
		return Account{}, err
	}
	a, order, err := d.store.SetPlan(ctx, accountID, p, d.clock.Now())
	return d.told(ctx, a, order, err)
}

func (d *Developers) told(ctx context.Context, a Account, order forget.Order, err error) (Account, error) {
	if err != nil {
		return Account{}, err
	}
	return a, d.teller.Tell(ctx, order)
}

func checkPlan(p Plan) error {
	if p.Name != Custom {
		return nil
	}
	if p.PerMinute < 1 {
		return invalid("plan.per_minute", "a custom plan needs at least 1")
	}
	if p.PerDay < 1 {
		return invalid("plan.per_day", "a custom plan needs at least 1")
	}
	return nil
}

// App reads an app. Errors: ErrAppNotFound.
func (d *Developers) App(ctx context.Context, appID string) (App, error) {
	return d.store.App(ctx, appID)
}

// RotateSecret replaces the secret of a confidential client. The old one stops at
// once: nothing caches it. Errors: ErrAppNotFound, ErrAppIsPublic.
func (d *Developers) RotateSecret(ctx context.Context, appID string) (App, string, error) {
	a, err := d.store.App(ctx, appID)
	if err != nil {
		return App{}, "", err
	}
	if a.ClientType == Public {
		return App{}, "", ErrAppIsPublic
	}
	secret := credential.New(credential.ClientSecret)
	a, err = d.store.ReplaceClientSecret(ctx, appID, credential.Hash(secret))
	if err != nil {
		return App{}, "", err
	}
	return a, secret, nil
}
