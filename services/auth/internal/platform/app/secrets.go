package app

import (
	"context"
	"errors"
	"slices"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/mail"
)

// maxSecrets is the maximum number of live secrets per app: the current secret, and the one to which the app's
// servers are switching.
const maxSecrets = 2

// ClientSecret is a live client secret, but without its value.
type ClientSecret struct {
	ID        string
	AppID     string
	CreatedAt time.Time
	// CreatedBy is the person or service that created the secret, or empty if unknown.
	CreatedBy string
	// LastUsedAt is nil for an unused secret. It may lag by up to an hour.
	LastUsedAt *time.Time
	// ExpiresAt is nil for a secret that doesn't expire.
	ExpiresAt *time.Time
}

// NewSecret is a client secret that is to be stored.
type NewSecret struct {
	ID        string
	Hash      credential.Digest
	CreatedBy string
	// Event is an email to the account's owners, or nil if none is to be sent.
	Event *mail.Event
}

func newSecret(by string) (NewSecret, string) {
	secret := credential.New(credential.ClientSecret)
	return NewSecret{ID: id.New("sec"), Hash: credential.Hash(secret), CreatedBy: by}, secret
}

// SecretRotation requests a new secret for an app.
type SecretRotation struct {
	AppID string
	// Overlap is how long the current secret remains valid, unless it expires earlier. Zero revokes all earlier
	// secrets immediately.
	Overlap time.Duration
	// EndOlder revokes the older secret if two are live. Otherwise, no new secret could be created.
	EndOlder bool
	// By is the person or service that creates the secret.
	By string
}

// RotatedSecret is the result of a rotation.
type RotatedSecret struct {
	App    App
	Secret string
	// Live lists all live secrets, newest first.
	Live []ClientSecret
}

// RotateSecret creates a new secret for a confidential client. When it returns, revoked secrets are rejected
// everywhere (behaviour: tokens#two-client-secrets). Errors: ErrNotFound, ErrPublic, errTwoSecrets.
func (s *Service) RotateSecret(ctx context.Context, r SecretRotation) (RotatedSecret, error) {
	if !fault.IsStorable(r.AppID) {
		return RotatedSecret{}, ErrNotFound
	}
	now := s.clock.Now()
	added, secret := newSecret(r.By)
	added.Event = s.post.Event(mail.SecretCreated, "", r.AppID, r.By)
	changed, err := s.store.ChangeClientSecrets(ctx, r.AppID, now, func(a App, live []ClientSecret) ([]ClientSecret, *NewSecret, error) {
		if a.ClientType == Public {
			return nil, nil, ErrPublic
		}
		kept, err := r.keep(live, now)
		return kept, &added, err
	})
	if err != nil {
		return RotatedSecret{}, err
	}
	if err := s.revocations.Publish(ctx, changed.Revocation); err != nil {
		return RotatedSecret{}, err
	}
	return RotatedSecret{App: changed.App, Secret: secret, Live: changed.Live}, nil
}

// keep returns the secrets that remain valid alongside the new one.
func (r SecretRotation) keep(live []ClientSecret, now time.Time) ([]ClientSecret, error) {
	if r.Overlap <= 0 || len(live) == 0 {
		return nil, nil
	}
	if len(live) >= maxSecrets && !r.EndOlder {
		return nil, errTwoSecrets(live[len(live)-1])
	}
	newest, end := live[0], now.Add(r.Overlap).Truncate(time.Microsecond) // the precision of Postgres
	// The partner was informed of an existing expiry, so it is never postponed.
	if newest.ExpiresAt == nil || end.Before(*newest.ExpiresAt) {
		newest.ExpiresAt = &end
	}
	return []ClientSecret{newest}, nil
}

// errTwoSecrets returns the error for a request that would result in a third live secret. The service doesn't know
// which of the two existing secrets the partner's servers use, so it revokes neither unless requested.
func errTwoSecrets(older ClientSecret) error {
	end := "has no end"
	if older.ExpiresAt != nil {
		end = "ends at " + older.ExpiresAt.UTC().Format(time.RFC3339)
	}
	return errs.New(errs.Precondition, "TWO_CLIENT_SECRETS",
		"The app has two live secrets. The older one, %s, %s; delete it first, or request that it is revoked now.", older.ID, end)
}

// ClientSecrets lists the live secrets of an app, newest first. Errors: ErrNotFound.
func (s *Service) ClientSecrets(ctx context.Context, appID string) ([]ClientSecret, error) {
	if _, err := s.App(ctx, appID); err != nil {
		return nil, err
	}
	return s.store.ClientSecrets(ctx, appID, s.clock.Now())
}

// SecretDeletion is a request to revoke a secret.
type SecretDeletion struct {
	SecretID string
	// AllowLast permits revoking the only live secret.
	AllowLast bool
}

// DeleteClientSecret revokes a secret immediately. If there is a second secret, it is not changed. Errors:
// ErrSecretNotFound; ErrLastSecret.
func (s *Service) DeleteClientSecret(ctx context.Context, d SecretDeletion) error {
	_, err := s.changeSecret(ctx, d.SecretID, func(_ ClientSecret, others []ClientSecret) ([]ClientSecret, error) {
		if len(others) == 0 && !d.AllowLast {
			return nil, ErrLastSecret
		}
		return others, nil
	})
	return err
}

// SecretExpiry is a request to set or remove the expiry of a secret.
type SecretExpiry struct {
	SecretID string
	// ExpiresAt is nil to remove the expiry.
	ExpiresAt *time.Time
	// AllowLast permits an earlier expiry after which the app would have no live secret.
	AllowLast bool
}

// SetClientSecretExpiry sets, moves or removes the expiry of a secret (behaviour: tokens#the-end-of-a-secret).
// Errors: ErrSecretNotFound; ErrLastSecret; Invalid for expires_at.
func (s *Service) SetClientSecretExpiry(ctx context.Context, e SecretExpiry) (ClientSecret, error) {
	if e.ExpiresAt != nil && !e.ExpiresAt.After(s.clock.Now()) {
		return ClientSecret{}, fault.Of(fault.CodeArgument, "expires_at", "is not in the future")
	}
	live, err := s.changeSecret(ctx, e.SecretID, func(found ClientSecret, others []ClientSecret) ([]ClientSecret, error) {
		if !e.AllowLast && e.leavesNone(found, others) {
			return nil, ErrLastSecret
		}
		found.ExpiresAt = e.ExpiresAt
		return append(others, found), nil
	})
	if err != nil {
		return ClientSecret{}, err
	}
	return live[slices.IndexFunc(live, func(c ClientSecret) bool { return c.ID == e.SecretID })], nil
}

// leavesNone reports whether the new expiry is earlier than the current one and no other secret outlasts it.
func (e SecretExpiry) leavesNone(found ClientSecret, others []ClientSecret) bool {
	if e.ExpiresAt == nil || !found.outlasts(*e.ExpiresAt) {
		return false
	}
	return !slices.ContainsFunc(others, func(o ClientSecret) bool { return o.outlasts(*e.ExpiresAt) })
}

func (c ClientSecret) outlasts(t time.Time) bool { return c.ExpiresAt == nil || c.ExpiresAt.After(t) }

// changeSecret passes the live secrets of the secret's app to change, which chooses the secrets to keep, and returns
// these. When it returns, the revoked secrets are rejected everywhere, even if an earlier call revoked them. Errors:
// ErrSecretNotFound, and all errors returned by change.
func (s *Service) changeSecret(ctx context.Context, secretID string, change secretChoice) ([]ClientSecret, error) {
	if !fault.IsStorable(secretID) {
		return nil, ErrSecretNotFound
	}
	changed, err := s.chooseSecrets(ctx, secretID, change)
	if errors.Is(err, ErrSecretNotFound) {
		var failed error
		if changed.Revocation, failed = s.store.PendingSecretRevocation(ctx, secretID, s.clock.Now()); failed != nil {
			return nil, failed
		}
	} else if err != nil {
		return nil, err
	}
	if pending := s.revocations.Publish(ctx, changed.Revocation); pending != nil {
		return nil, pending
	}
	return changed.Live, err
}

// secretChoice chooses which secrets to keep.
type secretChoice func(found ClientSecret, others []ClientSecret) ([]ClientSecret, error)

func (s *Service) chooseSecrets(ctx context.Context, secretID string, change secretChoice) (ChangedSecrets, error) {
	appID, err := s.store.AppOfSecret(ctx, secretID)
	if err != nil {
		return ChangedSecrets{}, err
	}
	return s.store.ChangeClientSecrets(ctx, appID, s.clock.Now(), func(_ App, live []ClientSecret) ([]ClientSecret, *NewSecret, error) {
		at := slices.IndexFunc(live, func(c ClientSecret) bool { return c.ID == secretID })
		if at < 0 {
			return nil, nil, ErrSecretNotFound
		}
		kept, err := change(live[at], slices.Delete(slices.Clone(live), at, at+1))
		return kept, nil, err
	})
}
