package developer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/mail"
	"vitae.internal/services/auth/internal/scope"
)

// KeyCreation is an API key to create.
type KeyCreation struct {
	AppID     string
	Name      string
	Scopes    []string
	ExpiresAt *time.Time
	// By is who creates it.
	By string
	// ValidateOnly makes every check but that of the app, and writes nothing.
	ValidateOnly bool
}

// MostKeys is how many live API keys an app can have (behaviour: tokens#api-keys).
const MostKeys = 50

// hintLength is how many characters of a key are kept, so that its owner can tell it from
// others. They are of the checksum, which says nothing about the random part that the hash
// of a guess would not say too.
const hintLength = 4

// CreateAPIKey creates a key and gives its secret; with ValidateOnly the answer is
// empty. Errors: ErrAppNotFound; ErrTooManyKeys; Invalid with every faulty field.
func (s *Service) CreateAPIKey(ctx context.Context, c KeyCreation) (APIKey, string, error) {
	now := s.clock.Now()
	scopes, err := checkKey(c, now)
	if err != nil || c.ValidateOnly {
		return APIKey{}, "", err
	}
	if !fault.IsStorable(c.AppID) {
		return APIKey{}, "", ErrAppNotFound
	}
	secret := credential.New(credential.APIKey)
	k := APIKey{
		ID: id.New("key"), AppID: c.AppID, Name: c.Name, Scopes: scopes, ExpiresAt: c.ExpiresAt, CreatedAt: now,
		Hint: secret[len(secret)-hintLength:], CreatedBy: c.By,
	}
	if err := s.store.CreateAPIKey(ctx, k, credential.Hash(secret), s.post.Event(mail.KeyCreated, "", k.AppID, k.CreatedBy)); err != nil {
		return APIKey{}, "", err
	}
	return k, secret, nil
}

func checkKey(c KeyCreation, now time.Time) (scope.Set, error) {
	faults := fault.Argument()
	for i, s := range c.Scopes {
		if _, err := scope.Company([]string{s}); err != nil {
			faults.Add(fmt.Sprintf("scopes[%d]", i), "%s", err)
		}
	}
	if c.ExpiresAt != nil && !c.ExpiresAt.After(now) {
		faults.Add("expires_at", "is not in the future")
	}
	checkName(faults, "name", c.Name)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return scope.Company(c.Scopes)
}

// APIKeys lists the keys of an app. With deletedToo it lists deleted keys, and those of a
// deleted app. Errors: ErrAppNotFound.
func (s *Service) APIKeys(ctx context.Context, appID string, deletedToo bool) ([]APIKey, error) {
	if !fault.IsStorable(appID) {
		return nil, ErrAppNotFound
	}
	find := s.store.App
	if deletedToo {
		find = s.store.AppOfAnyTime
	}
	a, err := find(ctx, appID)
	audit.FromContext(ctx).Note(audit.About{AppID: a.ID, AccountID: a.AccountID})
	if err != nil {
		return nil, err
	}
	return s.store.APIKeys(ctx, appID, deletedToo)
}

// DeleteAPIKey deletes a key: it is refused everywhere when this returns, even if an
// earlier deletion ended it. Errors: ErrKeyNotFound.
func (s *Service) DeleteAPIKey(ctx context.Context, keyID string) error {
	if !fault.IsStorable(keyID) {
		return ErrKeyNotFound
	}
	entry, err := s.store.DeleteAPIKey(ctx, keyID, s.clock.Now())
	if err != nil && !errors.Is(err, ErrKeyNotFound) {
		return err
	}
	if pending := s.revocations.Publish(ctx, entry); pending != nil {
		return pending
	}
	return err
}
