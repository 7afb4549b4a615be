package account

import (
	"context"
	"encoding/base64"
	"errors"
	"strings"

	"vitae.internal/pkg/emailaddress"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
)

const (
	// MostCreated is the maximum number of open accounts that one person may have created.
	MostCreated = 5
	// usualPage and maxPage are the default and maximum numbers of accounts on a page.
	usualPage = 100
	maxPage   = 1000
)

// Search selects the accounts to list.
type Search struct {
	// Text is an account id, or part of a name or email address, in upper or lower case. If it is empty, every
	// account matches.
	Text string
	// PageToken comes from the previous page. If PageSize is 0, the default size is used.
	PageToken string
	PageSize  int
}

// Query requests the page of accounts that follows a position.
type Query struct {
	Text   string
	After  Position
	AtMost int
}

// Position is the position of the last account on the previous page. Name is in lower case, as in the index.
type Position struct{ Name, ID string }

// Listed is an account with its position in the list.
type Listed struct {
	Account
	Position Position
}

// Accounts lists open accounts by name. It also returns the token of the next page, or "" if this is the last page.
// Errors: Invalid for page_token.
func (s *Service) Accounts(ctx context.Context, search Search) ([]Account, string, error) {
	after, err := accountPosition(search.PageToken)
	if err != nil || !fault.IsStorable(search.Text) {
		return nil, "", err
	}
	if id.Valid("dev", search.Text) {
		return s.accountAsList(ctx, search.Text)
	}
	size := min(search.PageSize, maxPage)
	if size == 0 {
		size = usualPage
	}
	found, err := s.store.Accounts(ctx, Query{Text: search.Text, After: after, AtMost: size})
	if err != nil {
		return nil, "", err
	}
	page := make([]Account, len(found))
	for i, f := range found {
		page[i] = f.Account
	}
	if len(found) < size {
		return page, "", nil
	}
	return page, found[len(found)-1].Position.token(), nil
}

func (s *Service) accountAsList(ctx context.Context, accountID string) ([]Account, string, error) {
	a, err := s.store.Account(ctx, accountID)
	switch {
	case err == nil && a.ClosedAt == nil:
		return []Account{a}, "", nil
	case err == nil || errors.Is(err, ErrNotFound):
		return nil, "", nil
	}
	return nil, "", err
}

// token encodes the name and the id. They are separated by a NUL byte, which neither can contain.
func (p Position) token() string {
	return base64.RawURLEncoding.EncodeToString([]byte(p.Name + "\x00" + p.ID))
}

// accountPosition decodes a page token. The empty token means the start of the list.
func accountPosition(token string) (Position, error) {
	if token == "" {
		return Position{}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	name, last, found := strings.Cut(string(raw), "\x00")
	if err != nil || !found || !id.Valid("dev", last) || !fault.IsStorable(name) {
		return Position{}, fault.Of(fault.CodeArgument, "page_token", "is not the token of a page")
	}
	return Position{Name: name, ID: last}, nil
}

// Change is a change to an account. If a field is nil, it stays unchanged.
type Change struct {
	Name, Email *string
	// ByMember is true if a member makes the change, and false if an operator does.
	ByMember bool
}

// Update changes the name and the email address of an account. Errors: ErrNotFound; Invalid, with all invalid
// fields.
func (s *Service) Update(ctx context.Context, accountID string, change Change) (Account, error) {
	faults := fault.Argument()
	if change.Name != nil {
		faults.NotBlank("name", *change.Name)
		CheckName(faults, "name", *change.Name)
	}
	if change.Email != nil {
		address := emailaddress.Check(faults, "email", *change.Email)
		change.Email = &address
	}
	if !fault.IsStorable(accountID) {
		return Account{}, ErrNotFound
	}
	if change.ByMember && change.Name != nil {
		found, err := s.store.Account(ctx, accountID)
		if err != nil {
			return Account{}, err
		}
		if *change.Name == found.Name {
			change.Name = nil // a member may always keep the current name
		}
	}
	if change.ByMember && change.Name != nil {
		if err := s.CheckReserved(ctx, faults, *change.Name, accountID); err != nil {
			return Account{}, err
		}
	}
	if err := faults.Err(); err != nil {
		return Account{}, err
	}
	return s.store.UpdateAccount(ctx, accountID, func(a Account) (Account, error) {
		if change.Name != nil {
			a.Name = *change.Name
		}
		if change.Email != nil {
			a.Email = *change.Email
		}
		return a, nil
	})
}

// Close closes an account if typed is the account's name. When it returns, all of the account's credentials are
// rejected. Errors: ErrNotFound; Invalid for name.
func (s *Service) Close(ctx context.Context, accountID, typed string) error {
	if !fault.IsStorable(accountID) {
		return ErrNotFound
	}
	entry, err := s.store.CloseAccount(ctx, accountID, s.clock.Now(), func(a Account) error {
		if strings.TrimSpace(typed) != strings.TrimSpace(a.Name) {
			return fault.Of(fault.CodeArgument, "name", "is not the name of the account")
		}
		return nil
	})
	if err != nil {
		return err
	}
	return s.revocations.Publish(ctx, entry)
}

// Verify records that operators have verified who owns an account. Errors: ErrNotFound.
func (s *Service) Verify(ctx context.Context, accountID string) (Account, error) {
	if !fault.IsStorable(accountID) {
		return Account{}, ErrNotFound
	}
	return s.store.VerifyAccount(ctx, accountID, s.clock.Now())
}

// Unverify removes the verification of an account. Errors: ErrNotFound.
func (s *Service) Unverify(ctx context.Context, accountID string) (Account, error) {
	if !fault.IsStorable(accountID) {
		return Account{}, ErrNotFound
	}
	return s.store.UnverifyAccount(ctx, accountID)
}
