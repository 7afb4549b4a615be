package app_test

import (
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// day is the overlap that these tests use.
const day = 24 * time.Hour

func (w *world) rotation(c client, overlap time.Duration, endOlder bool) (*authv1.RotateClientSecretResponse, error) {
	return w.developers.RotateClientSecret(w.Context(), &authv1.RotateClientSecretRequest{
		AppId: c.app.GetId(), Overlap: durationpb.New(overlap), EndOlder: endOlder,
	})
}

// rotated creates a new secret for the app. The previous secret remains valid for the overlap.
func (w *world) rotated(c client, overlap time.Duration) client {
	w.Helper()
	resp, err := w.rotation(c, overlap, false)
	w.must(err)
	return client{app: c.app, secret: resp.GetClientSecret()}
}

func (w *world) secrets(c client) []*authv1.ClientSecret {
	w.Helper()
	resp, err := w.developers.ListClientSecrets(w.Context(), &authv1.ListClientSecretsRequest{AppId: c.app.GetId()})
	w.must(err)
	return resp.GetSecrets()
}

func (w *world) deleteSecret(id string) error {
	return second(w.developers.DeleteClientSecret(w.Context(), &authv1.DeleteClientSecretRequest{Id: id}))
}

// authenticates reports whether the client's secret is accepted.
func (w *world) authenticates(c client) bool {
	w.Helper()
	_, err := w.oauth.IntrospectToken(w.Context(), &authv1.IntrospectTokenRequest{Client: c.auth(), Token: "x"})
	if err != nil && !errs.HasCode(err, "OAUTH_INVALID_CLIENT") {
		w.Fatal(err)
	}
	return err == nil
}

func (w *world) setExpiry(id string, at *time.Time, allowLast bool) (*authv1.ClientSecret, error) {
	req := &authv1.SetClientSecretExpiryRequest{Id: id, AllowLast: allowLast}
	if at != nil {
		req.ExpiresAt = timestamppb.New(*at)
	}
	resp, err := w.developers.SetClientSecretExpiry(w.Context(), req)
	return resp.GetSecret(), err
}

func TestSecretExpiryIsSetMovedAndRemoved(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	old := w.confidential()
	resp, err := w.rotation(old, day, false)
	w.must(err)
	newer := client{app: old.app, secret: resp.GetClientSecret()}
	listed := w.secrets(old)
	newID, oldID := listed[0].GetId(), listed[1].GetId()
	at := func(d time.Duration) *time.Time { t := started.Add(d); return &t }

	set, err := w.setExpiry(oldID, at(time.Hour), false)
	w.must(err)
	if !set.GetExpiresAt().AsTime().Equal(*at(time.Hour)) || set.GetId() != oldID {
		t.Errorf("moved to an earlier time: %v", set)
	}
	_, err = w.setExpiry(oldID, at(3*time.Hour), false)
	w.must(err)
	_, err = w.setExpiry(newID, at(2*time.Hour), false)
	w.must(err) // the older secret expires later, so a live one remains
	_, err = w.setExpiry(oldID, at(time.Hour), false)
	w.must(err) // the newer secret expires later, so a live one remains
	_, err = w.setExpiry(newID, at(time.Hour), false)
	wantCode(t, err, "LAST_CLIENT_SECRET")
	_, err = w.setExpiry(newID, at(4*time.Hour), false)
	w.must(err) // postponing the expiry is always allowed
	none, err := w.setExpiry(newID, nil, false)
	w.must(err)
	if none.GetExpiresAt() != nil {
		t.Errorf("after removing the expiry: %v", none)
	}
	for _, past := range []time.Duration{0, -time.Hour} {
		_, err = w.setExpiry(newID, at(past), true)
		wantCode(t, err, "INVALID_ARGUMENT")
	}
	for _, overlap := range []time.Duration{-time.Second, 30*day + time.Second} {
		wantCode(t, second(w.rotation(old, overlap, true)), "INVALID_ARGUMENT")
	}
	w.clock.Advance(time.Hour)
	if w.authenticates(old) || !w.authenticates(newer) {
		t.Error("after the expiry, the older secret is accepted or the newer one is rejected")
	}
	_, err = w.setExpiry(oldID, nil, false)
	wantCode(t, err, "CLIENT_SECRET_NOT_FOUND") // an expired secret cannot be changed
	_, err = w.setExpiry("sec\x00", nil, false)
	wantCode(t, err, "CLIENT_SECRET_NOT_FOUND")

	// Without an overlap, both live secrets end immediately.
	newest := w.rotated(newer, day)
	if only := w.rotated(newest, 0); w.authenticates(newer) || w.authenticates(newest) || !w.authenticates(only) {
		t.Error("a rotation without an overlap left an earlier secret valid")
	}
}

func TestLastSecretEndsOnlyIfAllowed(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	only := w.secrets(c)[0].GetId()
	soon := started.Add(time.Hour)
	_, err := w.setExpiry(only, &soon, false)
	wantCode(t, err, "LAST_CLIENT_SECRET")
	_, err = w.setExpiry(only, &soon, true)
	w.must(err)
	if err := w.deleteSecret(only); !errs.HasCode(err, "LAST_CLIENT_SECRET") {
		t.Errorf("the last secret was deleted without permission: %v", err)
	}
	_, err = w.developers.DeleteClientSecret(t.Context(), &authv1.DeleteClientSecretRequest{Id: only, AllowLast: true})
	w.must(err)
	if w.authenticates(c) || len(w.secrets(c)) != 0 {
		t.Error("the deleted secret is still accepted")
	}
	resp, err := w.rotation(c, 0, false)
	w.must(err)
	if !w.authenticates(client{app: c.app, secret: resp.GetClientSecret()}) || len(w.secrets(c)) != 1 {
		t.Error("the new secret is rejected, or it is not the only one")
	}
}
