package app_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/oauth/client"
	"vitae.internal/services/auth/internal/platform/app"
)

// holder is an app whose secrets are changed.
type holder struct {
	*authtest.World
	t   *testing.T
	app authtest.App
}

func newHolder(t *testing.T) *holder {
	t.Helper()
	w := authtest.New(t)
	return &holder{World: w, t: t, app: w.Confidential()}
}

func (h *holder) rotate(overlap time.Duration, endOlder bool) (app.RotatedSecret, error) {
	return h.Apps.RotateSecret(h.t.Context(), app.SecretRotation{AppID: h.app.App.ID, Overlap: overlap, EndOlder: endOlder, By: "vitaectl"})
}

func (h *holder) taken(secret string) bool {
	_, err := client.Authenticate(h.t.Context(), h.Stores.Grants, client.Credentials{ID: h.app.ClientID, Secret: secret}, h.Clock.Now())
	return err == nil
}

func (h *holder) secrets() []app.ClientSecret {
	h.t.Helper()
	all, err := h.Apps.ClientSecrets(h.t.Context(), h.app.App.ID)
	h.Must(err)
	return all
}

// (behaviour: tokens#two-client-secrets)
func TestRotationKeepsTheNewestForTheOverlap(t *testing.T) {
	t.Parallel()
	h := newHolder(t)
	first := h.app.Secret
	h.Clock.Advance(time.Minute)
	rotated, err := h.rotate(time.Hour, false)
	h.Must(err)
	second, live := rotated.Secret, rotated.Live
	end := h.Clock.Now().Add(time.Hour)
	if rotated.App.ID != h.app.App.ID || len(live) != 2 || live[0].ExpiresAt != nil || !live[1].ExpiresAt.Equal(end) {
		t.Errorf("rotated %+v", rotated)
	}
	if live[0].CreatedBy != "vitaectl" || !live[0].CreatedAt.Equal(h.Clock.Now()) || live[0].LastUsedAt != nil {
		t.Errorf("the new secret is %+v", live[0])
	}
	if !h.taken(first) || !h.taken(second) || h.taken(h.Confidential().Secret) {
		t.Error("one of the two secrets is rejected, or a secret of a different app is accepted")
	}
	_, err = h.rotate(time.Hour, false)
	wantCode(t, "a third", err, "TWO_CLIENT_SECRETS")
	if e, _ := errs.As(err); !strings.Contains(e.Message, live[1].ID) || !strings.Contains(e.Message, "ends at 2026-03-01T10:01:00Z") {
		t.Errorf("%v does not name the older secret and its expiry", err)
	}
	rotated, err = h.rotate(time.Hour, true)
	h.Must(err)
	if h.taken(first) || !h.taken(second) || !h.taken(rotated.Secret) {
		t.Error("the oldest secret is still accepted, or one of the other two is rejected")
	}
	h.Clock.Advance(time.Hour - time.Microsecond)
	if !h.taken(second) {
		t.Error("the secret is rejected before the end of the overlap")
	}
	h.Clock.Advance(time.Microsecond)
	if h.taken(second) || !h.taken(rotated.Secret) {
		t.Error("the overlap does not end, or it ends the newest secret")
	}
	last, err := h.rotate(0, false)
	h.Must(err)
	if h.taken(rotated.Secret) || !h.taken(last.Secret) || len(last.Live) != 1 {
		t.Error("without an overlap, the previous secret is still accepted")
	}
}

// The partner was informed of the existing expiry, so it must never be postponed.
func TestRotationNeverPostponesAnExpiry(t *testing.T) {
	t.Parallel()
	for overlap, want := range map[time.Duration]time.Duration{30 * time.Minute: 30 * time.Minute, 2 * time.Hour: time.Hour, time.Hour: time.Hour} {
		h := newHolder(t)
		_, err := h.Pool.Exec(t.Context(), "UPDATE client_secrets SET expires_at = $1", h.Clock.Now().Add(time.Hour))
		h.Must(err)
		rotated, err := h.rotate(overlap, false)
		h.Must(err)
		if got := rotated.Live[1].ExpiresAt; got == nil || !got.Equal(h.Clock.Now().Add(want)) {
			t.Errorf("with an overlap of %v, the secret expires at %v", overlap, got)
		}
	}
}

func TestThirdSecretNamesTheOlderOne(t *testing.T) {
	t.Parallel()
	h := newHolder(t)
	_, err := h.rotate(time.Hour, false)
	h.Must(err)
	_, err = h.Pool.Exec(t.Context(), "UPDATE client_secrets SET expires_at = NULL")
	h.Must(err)
	_, err = h.rotate(time.Hour, false)
	if e, _ := errs.As(err); !errs.HasCode(err, "TWO_CLIENT_SECRETS") || !strings.Contains(e.Message, "has no end") {
		t.Errorf("%v", err)
	}
}

func TestLastSecretIsNotDeleted(t *testing.T) {
	t.Parallel()
	h := newHolder(t)
	first := h.app.Secret
	rotated, err := h.rotate(time.Hour, false)
	h.Must(err)
	all := h.secrets()
	if len(all) != 2 || all[0].ID != rotated.Live[0].ID {
		t.Fatalf("secrets, newest first: %+v", all)
	}
	h.Must(h.Apps.DeleteClientSecret(t.Context(), app.SecretDeletion{SecretID: all[0].ID}))
	if h.taken(rotated.Secret) || !h.taken(first) {
		t.Error("the deleted secret is accepted, or the other one is rejected")
	}
	left := h.secrets()
	if len(left) != 1 || left[0].ID != all[1].ID || !left[0].ExpiresAt.Equal(*all[1].ExpiresAt) {
		t.Errorf("the other secret expires at %v, want %v", left[0].ExpiresAt, all[1].ExpiresAt)
	}
	wantCode(t, "again", h.Apps.DeleteClientSecret(t.Context(), app.SecretDeletion{SecretID: all[0].ID}), app.ErrSecretNotFound.Code)
	wantCode(t, "the last", h.Apps.DeleteClientSecret(t.Context(), app.SecretDeletion{SecretID: all[1].ID}), app.ErrLastSecret.Code)
	if !h.taken(first) {
		t.Error("the last secret was deleted")
	}
	// A revoked secret is not found, and revoking it again doesn't affect the last one.
	_, err = h.rotate(time.Hour, false)
	h.Must(err)
	h.Clock.Advance(time.Hour)
	wantCode(t, "an ended one", h.Apps.DeleteClientSecret(t.Context(), app.SecretDeletion{SecretID: all[1].ID}), app.ErrSecretNotFound.Code)
}

func TestPublicClientHasNoSecret(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.App(app.Creation{ClientType: app.Public, Scopes: authtest.Everything})
	_, err := w.Apps.RotateSecret(t.Context(), app.SecretRotation{AppID: a.App.ID})
	wantCode(t, "rotate", err, app.ErrPublic.Code)
	if all, err := w.Apps.ClientSecrets(t.Context(), a.App.ID); err != nil || len(all) != 0 {
		t.Errorf("secrets %v, %v", all, err)
	}
}

// The database must not contain a secret in plain text.
func TestSecretIsNotStoredInPlainText(t *testing.T) {
	t.Parallel()
	h := newHolder(t)
	rotated, err := h.rotate(time.Hour, false)
	h.Must(err)
	_, key := h.Key(h.app, "jobs:read")
	var dump string
	h.Must(h.Pool.QueryRow(t.Context(), `SELECT string_agg(x::text, '') FROM (SELECT to_jsonb(t) FROM apps t UNION ALL
		SELECT to_jsonb(t) FROM client_secrets t UNION ALL SELECT to_jsonb(t) FROM api_keys t) AS rows (x)`).Scan(&dump))
	if !strings.Contains(dump, rotated.Live[0].ID) || slices.ContainsFunc([]string{rotated.Secret, h.app.Secret, key}, func(s string) bool { return strings.Contains(dump, s) }) {
		t.Error("the dump has no rows of secrets, or it contains a secret")
	}
}
