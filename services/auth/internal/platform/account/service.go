// Package account manages developer accounts and their plans.
package account

import (
	"context"
	"errors"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/platform/lookalike"
)

// Config configures a Service. Store, Revocations and Clock are required.
type Config struct {
	Store       Store
	Revocations *revocation.Publisher
	// Reserved are names that only operators may assign. Names that look like one of them are reserved too.
	Reserved []string
	// Post creates the emails that owners receive.
	Post  mail.Post
	Clock clock.Clock
}

// Service manages developer accounts and plan requests.
type Service struct {
	store       Store
	revocations *revocation.Publisher
	reserved    lookalike.Names
	verified    lookalike.Memo
	post        mail.Post
	clock       clock.Clock
}

// NewService returns a Service, or an error if a required field is missing.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Revocations == nil || c.Clock == nil {
		return nil, errors.New("account: Store, Revocations and Clock are required")
	}
	return &Service{store: c.Store, revocations: c.Revocations, reserved: lookalike.New(c.Reserved...), post: c.Post, clock: c.Clock}, nil
}

// Creation is an account that is to be created.
type Creation struct {
	Name  string
	Email string
	Plan  Plan
	// Owner is the person who creates the account and becomes its owner. If an operator creates the account, Owner
	// is empty and the account has no members.
	Owner string
	// ValidateOnly makes CreateAccount check everything, but write nothing.
	ValidateOnly bool
}

// CreateAccount creates an account. If ValidateOnly is set, it returns an empty account. Errors: Invalid, with all
// invalid fields. If Owner is set, also ErrEmailNotVerified and ErrTooManyAccounts.
func (s *Service) CreateAccount(ctx context.Context, c Creation) (Account, error) {
	faults := fault.Argument()
	c.Email = emailaddress.Check(faults, "email", c.Email)
	checkPlan(faults, c.Plan)
	CheckName(faults, "name", c.Name)
	if c.Owner != "" && c.Plan.Name != Standard {
		faults.Add("plan", "is assigned by operators")
	}
	if c.Owner != "" {
		if err := s.CheckReserved(ctx, faults, c.Name, ""); err != nil {
			return Account{}, err
		}
	}
	if err := faults.Err(); err != nil || c.ValidateOnly {
		return Account{}, err
	}
	a := Account{ID: id.New("dev"), Name: c.Name, Email: c.Email, Plan: c.Plan, CreatedAt: s.clock.Now()}
	return a, s.store.CreateAccount(ctx, a, c.Owner)
}

// CheckName checks the name of an account or app. People see an app's name on the consent page, so it must not be
// misleading (behaviour: requests#single-lines).
func CheckName(faults *fault.List, path, s string) {
	if faults.Line(path, s, len(s)) {
		faults.Visible(path, s)
	}
}

// CheckReserved rejects a name for an account or app if the name is reserved, belongs to another account that is
// verified, or looks like such a name (behaviour: apps#reserved-names).
func (s *Service) CheckReserved(ctx context.Context, faults *fault.List, name, accountID string) error {
	verified, err := s.store.VerifiedNames(ctx, accountID)
	if err != nil {
		return err
	}
	if s.reserved.Has(name) || s.verified.New(verified...).Has(name) {
		faults.Add("name", "is reserved, looks like a name that is, or has no letters; choose another one")
	}
	return nil
}

func checkPlan(faults *fault.List, p Plan) {
	if p.Name != Custom {
		return
	}
	if p.PerMinute < 1 {
		faults.Add("plan.per_minute", "a custom plan needs at least 1")
	}
	if p.PerDay < 1 {
		faults.Add("plan.per_day", "a custom plan needs at least 1")
	}
}

// Account reads an account. Errors: ErrNotFound.
func (s *Service) Account(ctx context.Context, accountID string) (Account, error) {
	if !fault.IsStorable(accountID) {
		return Account{}, ErrNotFound
	}
	return s.store.Account(ctx, accountID)
}

// Suspend suspends an account and emails its owners. When it returns, the account's apps are rejected. Members see
// the reason, which may be empty. Errors: ErrNotFound; Invalid if the reason is malformed.
func (s *Service) Suspend(ctx context.Context, accountID, reason string) (Account, error) {
	faults := fault.Argument()
	faults.Text("reason", reason, len(reason))
	if err := faults.Err(); err != nil {
		return Account{}, err
	}
	if !fault.IsStorable(accountID) {
		return Account{}, ErrNotFound
	}
	a, entry, err := s.store.SuspendAccount(ctx, accountID, reason, s.clock.Now(), s.post.Event(mail.AccountSuspended, accountID, "", ""))
	return s.publish(ctx, a, entry, err)
}

// Resume lifts a suspension and emails the owners. Errors: ErrNotFound.
func (s *Service) Resume(ctx context.Context, accountID string) (Account, error) {
	if !fault.IsStorable(accountID) {
		return Account{}, ErrNotFound
	}
	a, entry, err := s.store.ResumeAccount(ctx, accountID, s.clock.Now(), s.post.Event(mail.AccountResumed, accountID, "", ""))
	return s.publish(ctx, a, entry, err)
}

// SetPlan changes the plan of an account. Errors: ErrNotFound; Invalid, with all invalid fields.
func (s *Service) SetPlan(ctx context.Context, accountID string, p Plan) (Account, error) {
	faults := fault.Argument()
	checkPlan(faults, p)
	if err := faults.Err(); err != nil {
		return Account{}, err
	}
	if !fault.IsStorable(accountID) {
		return Account{}, ErrNotFound
	}
	a, entry, err := s.store.SetPlan(ctx, accountID, p, s.clock.Now())
	return s.publish(ctx, a, entry, err)
}

// publish publishes the revocation entry of a change to an account, and returns the account.
func (s *Service) publish(ctx context.Context, a Account, entry revocation.Entry, err error) (Account, error) {
	if err != nil {
		return Account{}, err
	}
	return a, s.revocations.Publish(ctx, entry)
}
