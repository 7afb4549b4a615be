package developer

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
	// MostCreated is the maximum number of open accounts that a person can have created.
	MostCreated = 5
	// usualPage and maxPage are the default and maximum sizes of a page of accounts.
	usualPage = 100
	maxPage   = 1000
)

// AccountSearch selects the accounts to list.
type AccountSearch struct {
	// Text is a part of the name or address, ignoring case, or an id; empty for all.
	Text string
	// PageToken is from the previous page. PageSize 0 is the default size.
	PageToken string
	PageSize  int
}

// AccountQuery requests a page of accounts after a position.
type AccountQuery struct {
	Text   string
	After  AccountPosition
	AtMost int
}

// AccountPosition is the last account of the previous page. Name is in lower case, as in the
// database.
type AccountPosition struct{ Name, ID string }

// ListedAccount is an account with its position in the list.
type ListedAccount struct {
	Account
	Position AccountPosition
}

// Accounts lists open accounts by name, and returns the token of the next page, empty at the
// end. Errors: Invalid naming page_token.
func (s *Service) Accounts(ctx context.Context, search AccountSearch) ([]Account, string, error) {
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
	found, err := s.accounts.Accounts(ctx, AccountQuery{Text: search.Text, After: after, AtMost: size})
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
	a, err := s.accounts.Account(ctx, accountID)
	switch {
	case err == nil && a.ClosedAt == nil:
		return []Account{a}, "", nil
	case err == nil || errors.Is(err, ErrAccountNotFound):
		return nil, "", nil
	}
	return nil, "", err
}

// token encodes a position, separated by a NUL, which neither part can contain.
func (p AccountPosition) token() string {
	return base64.RawURLEncoding.EncodeToString([]byte(p.Name + "\x00" + p.ID))
}

// accountPosition decodes a token. The empty token is the start of the list.
func accountPosition(token string) (AccountPosition, error) {
	if token == "" {
		return AccountPosition{}, nil
	}
	raw, err := base64.RawURLEncoding.DecodeString(token)
	name, last, found := strings.Cut(string(raw), "\x00")
	if err != nil || !found || !id.Valid("dev", last) || !fault.IsStorable(name) {
		return AccountPosition{}, fault.Of(fault.CodeArgument, "page_token", "is not the token of a page")
	}
	return AccountPosition{Name: name, ID: last}, nil
}

// AccountChange changes an account. Nil fields stay unchanged.
type AccountChange struct {
	Name, Email *string
	// ByMember is true if a member makes the change, false for an operator.
	ByMember bool
}

// Update changes the name and the address of an account. Errors: ErrAccountNotFound;
// Invalid with every faulty field.
func (s *Service) Update(ctx context.Context, accountID string, change AccountChange) (Account, error) {
	faults := fault.Argument()
	if change.Name != nil {
		faults.NotBlank("name", *change.Name)
		checkName(faults, "name", *change.Name)
	}
	if change.Email != nil {
		address := emailaddress.Check(faults, "email", *change.Email)
		change.Email = &address
	}
	if !fault.IsStorable(accountID) {
		return Account{}, ErrAccountNotFound
	}
	if change.ByMember && change.Name != nil {
		found, err := s.accounts.Account(ctx, accountID)
		if err != nil {
			return Account{}, err
		}
		if *change.Name == found.Name {
			change.Name = nil // an unchanged name is always allowed
		}
	}
	if change.ByMember && change.Name != nil {
		if err := s.checkReserved(ctx, faults, *change.Name, accountID); err != nil {
			return Account{}, err
		}
	}
	if err := faults.Err(); err != nil {
		return Account{}, err
	}
	return s.accounts.UpdateAccount(ctx, accountID, func(a Account) (Account, error) {
		if change.Name != nil {
			a.Name = *change.Name
		}
		if change.Email != nil {
			a.Email = *change.Email
		}
		return a, nil
	})
}

// Close closes an account after somebody typed its name. When it returns, everything in the
// account is refused. Errors: ErrAccountNotFound; Invalid naming name.
func (s *Service) Close(ctx context.Context, accountID, typed string) error {
	if !fault.IsStorable(accountID) {
		return ErrAccountNotFound
	}
	entry, err := s.accounts.CloseAccount(ctx, accountID, s.clock.Now(), func(a Account) error {
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

// Verify records that operators have verified the identity behind an account. Errors:
// ErrAccountNotFound.
func (s *Service) Verify(ctx context.Context, accountID string) (Account, error) {
	if !fault.IsStorable(accountID) {
		return Account{}, ErrAccountNotFound
	}
	return s.accounts.VerifyAccount(ctx, accountID, s.clock.Now())
}

// Unverify removes a verification. Errors: ErrAccountNotFound.
func (s *Service) Unverify(ctx context.Context, accountID string) (Account, error) {
	if !fault.IsStorable(accountID) {
		return Account{}, ErrAccountNotFound
	}
	return s.accounts.UnverifyAccount(ctx, accountID)
}
