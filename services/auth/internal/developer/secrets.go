package developer

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

// maxSecrets is how many live secrets an app can have: the one that its servers send, and
// the one that they are being changed to.
const maxSecrets = 2

// ClientSecret is a live client secret without its text.
type ClientSecret struct {
	ID        string
	AppID     string
	CreatedAt time.Time
	// CreatedBy is the certificate name of who made it; empty if that is not known.
	CreatedBy string
	// LastUsedAt is nil for a secret that was not used. It is up to an hour behind.
	LastUsedAt *time.Time
	// ExpiresAt is nil for a secret without an end.
	ExpiresAt *time.Time
}

// NewSecret is a client secret to store.
type NewSecret struct {
	ID        string
	Hash      credential.Digest
	CreatedBy string
	// Event is emailed to the owners of the account, unless it is nil.
	Event *mail.Event
}

func newSecret(by string) (NewSecret, string) {
	secret := credential.New(credential.ClientSecret)
	return NewSecret{ID: id.New("sec"), Hash: credential.Hash(secret), CreatedBy: by}, secret
}

// SecretRotation asks for a new secret of an app.
type SecretRotation struct {
	AppID string
	// Overlap is how long the newest secret lives on beside the new one, unless it ends
	// earlier already; zero ends all earlier secrets at once.
	Overlap time.Duration
	// EndOlder ends the older of two live secrets, which would otherwise be in the way.
	EndOlder bool
	// By is the certificate name of the caller.
	By string
}

// RotatedSecret is the answer to a rotation.
type RotatedSecret struct {
	App    App
	Secret string
	// Live are all live secrets, newest first.
	Live []ClientSecret
}

// RotateSecret gives a confidential client a new secret. What ends at once is refused
// everywhere when this returns
// (behaviour: tokens#two-client-secrets). Errors: ErrAppNotFound, ErrAppIsPublic, errTwoSecrets.
func (s *Service) RotateSecret(ctx context.Context, r SecretRotation) (RotatedSecret, error) {
	if !fault.IsStorable(r.AppID) {
		return RotatedSecret{}, ErrAppNotFound
	}
	now := s.clock.Now()
	added, secret := newSecret(r.By)
	added.Event = s.post.Event(mail.SecretCreated, "", r.AppID, r.By)
	changed, err := s.store.ChangeClientSecrets(ctx, r.AppID, now, func(a App, live []ClientSecret) ([]ClientSecret, *NewSecret, error) {
		if a.ClientType == Public {
			return nil, nil, ErrAppIsPublic
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

// keep gives the secrets that live on beside the new one.
func (r SecretRotation) keep(live []ClientSecret, now time.Time) ([]ClientSecret, error) {
	if r.Overlap <= 0 || len(live) == 0 {
		return nil, nil
	}
	if len(live) >= maxSecrets && !r.EndOlder {
		return nil, errTwoSecrets(live[len(live)-1])
	}
	newest, end := live[0], now.Add(r.Overlap).Truncate(time.Microsecond) // the precision of Postgres
	// An end that is set already was announced to the partner. It is never put off.
	if newest.ExpiresAt == nil || end.Before(*newest.ExpiresAt) {
		newest.ExpiresAt = &end
	}
	return []ClientSecret{newest}, nil
}

// errTwoSecrets refuses a third live secret. Which of the two that live the partner's
// servers send is not known, so none is ended without being asked.
func errTwoSecrets(older ClientSecret) error {
	end := "has no end"
	if older.ExpiresAt != nil {
		end = "ends at " + older.ExpiresAt.UTC().Format(time.RFC3339)
	}
	return errs.New(errs.Precondition, "TWO_CLIENT_SECRETS",
		"The app has two live secrets. The older one, %s, %s; delete it first, or ask that it ends now.", older.ID, end)
}

// ClientSecrets lists the live secrets of an app, newest first. Errors: ErrAppNotFound.
func (s *Service) ClientSecrets(ctx context.Context, appID string) ([]ClientSecret, error) {
	if _, err := s.App(ctx, appID); err != nil {
		return nil, err
	}
	return s.store.ClientSecrets(ctx, appID, s.clock.Now())
}

// SecretDeletion names a secret to delete.
type SecretDeletion struct {
	SecretID string
	// AllowLast deletes the only live one too.
	AllowLast bool
}

// DeleteClientSecret ends a secret at once. The other one keeps the end that it has.
// Errors: ErrSecretNotFound; ErrLastSecret.
func (s *Service) DeleteClientSecret(ctx context.Context, d SecretDeletion) error {
	_, err := s.changeSecret(ctx, d.SecretID, func(_ ClientSecret, others []ClientSecret) ([]ClientSecret, error) {
		if len(others) == 0 && !d.AllowLast {
			return nil, ErrLastSecret
		}
		return others, nil
	})
	return err
}

// SecretExpiry sets the end of a secret.
type SecretExpiry struct {
	SecretID string
	// ExpiresAt is nil for no end.
	ExpiresAt *time.Time
	// AllowLast sets a nearer end that no other live secret outlasts.
	AllowLast bool
}

// SetClientSecretExpiry sets, moves or removes the end of a secret
// (behaviour: tokens#the-end-of-a-secret). Errors: ErrSecretNotFound; ErrLastSecret;
// Invalid naming expires_at.
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

// leavesNone reports whether the end is nearer than that of the secret until now, and no
// other one lives on after it.
func (e SecretExpiry) leavesNone(found ClientSecret, others []ClientSecret) bool {
	if e.ExpiresAt == nil || !found.outlasts(*e.ExpiresAt) {
		return false
	}
	return !slices.ContainsFunc(others, func(o ClientSecret) bool { return o.outlasts(*e.ExpiresAt) })
}

func (c ClientSecret) outlasts(t time.Time) bool { return c.ExpiresAt == nil || c.ExpiresAt.After(t) }

// changeSecret has change decide, from a live secret and the others of its app, which ones
// the app keeps, and gives those. What ends is refused everywhere when it returns, also if
// an earlier call has ended it. Errors: ErrSecretNotFound, and those of change.
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

// secretChoice decides which secrets an app keeps.
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
