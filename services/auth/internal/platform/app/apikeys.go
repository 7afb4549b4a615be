package app

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
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/account"
)

// KeyCreation is an API key that is to be created.
type KeyCreation struct {
	AppID     string
	Name      string
	Scopes    []string
	ExpiresAt *time.Time
	// By is the person or calling service that creates the key.
	By string
	// ValidateOnly makes CreateAPIKey check everything except the app, but write nothing.
	ValidateOnly bool
}

// MostKeys is the maximum number of live API keys per app (behaviour: tokens#api-keys).
const MostKeys = 50

// hintLength is the number of a key's characters that are stored, so that the key's owner can recognize it. These
// characters belong to the checksum, so they reveal no more about the random part than the hash does.
const hintLength = 4

// CreateAPIKey creates a key and returns its secret. If ValidateOnly is set, both results are empty. Errors:
// ErrNotFound; ErrTooManyKeys; Invalid, with all invalid fields.
func (s *Service) CreateAPIKey(ctx context.Context, c KeyCreation) (APIKey, string, error) {
	now := s.clock.Now()
	scopes, err := checkKey(c, now)
	if err != nil || c.ValidateOnly {
		return APIKey{}, "", err
	}
	if !fault.IsStorable(c.AppID) {
		return APIKey{}, "", ErrNotFound
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
	account.CheckName(faults, "name", c.Name)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return scope.Company(c.Scopes)
}

// APIKeys lists an app's keys. If deletedToo is set, it includes deleted keys and accepts a deleted app. Errors:
// ErrNotFound.
func (s *Service) APIKeys(ctx context.Context, appID string, deletedToo bool) ([]APIKey, error) {
	if !fault.IsStorable(appID) {
		return nil, ErrNotFound
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

// DeleteAPIKey deletes a key. When it returns, the key is rejected everywhere, even if an earlier
// call deleted it. Errors: ErrKeyNotFound.
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
