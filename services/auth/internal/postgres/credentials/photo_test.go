package credentials_test

import (
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/platform/app"
)

// (behaviour: photos#when-an-address-dies)
func TestPhotoURLRequiresConsent(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		change  string
		version int32
		opens   bool
	}{
		"shared":              {"UPDATE connections SET share_photo = true", 0, true},
		"not shared":          {"UPDATE connections SET share_photo = false", 0, false},
		"an earlier version":  {"UPDATE connections SET photo_version = photo_version + 1", 0, false},
		"a later version":     {"UPDATE connections SET photo_version = photo_version", 1, false},
		"ended":               {"UPDATE connections SET ended_at = created_at", 0, false},
		"a suspended account": {"UPDATE accounts SET suspended_at = created_at", 0, false},
	} {
		w := authtest.New(t)
		p, a, connection, _ := authtest.Connected(w, authtest.Everything...)
		authtest.Connected(w, authtest.Everything...) // connects a different person
		var version int32
		w.Must(w.Pool.QueryRow(t.Context(), "SELECT photo_version FROM connections WHERE id = $1", connection.ID).Scan(&version))
		_, err := w.Pool.Exec(t.Context(), c.change)
		w.Must(err)
		photo, err := w.Stores.States.PhotoAddress(t.Context(), connection.ID, version+c.version, w.Clock.Now())
		want := state.Photo{AccountID: a.AccountID, AppID: a.App.ID, PersonID: p}
		switch {
		case c.opens && (err != nil || photo != want):
			t.Errorf("%s: %+v, %v", name, photo, err)
		case !c.opens && (!errs.HasCode(err, state.ErrNoPhoto.Code) || photo != state.Photo{}):
			t.Errorf("%s: the URL resolves to %+v, %v", name, photo, err)
		}
	}
}

func TestKeyIsLiveUntilItExpiresOrIsDeleted(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, other := w.Confidential(), w.Confidential()
	end := w.Clock.Now().Add(time.Microsecond)
	issue := func(appID string, expires *time.Time) (string, string) {
		key, secret := id.New("key"), credential.New(credential.APIKey)
		w.Must(w.Stores.Apps.CreateAPIKey(t.Context(), app.APIKey{ID: key, AppID: appID, ExpiresAt: expires, CreatedAt: w.Clock.Now()}, credential.Hash(secret), nil))
		return key, secret
	}
	endlessID, endless := issue(a.App.ID, nil)
	shortID, short := issue(a.App.ID, &end)
	_, foreign := issue(other.App.ID, nil)
	lives := func(secret string) bool { _, lives := w.State(state.APIKey, secret); return lives }
	if !lives(endless) || !lives(short) || lives(credential.New(credential.APIKey)) {
		t.Error("before its expiry, a key is not live, or an unknown key is")
	}
	w.Clock.Advance(time.Microsecond)
	if !lives(endless) || lives(short) {
		t.Error("at its expiry, the key is still live, or a different key is not")
	}
	first, err := w.Stores.Apps.DeleteAPIKey(t.Context(), endlessID, w.Clock.Now())
	w.Must(err)
	if lives(endless) || !lives(foreign) {
		t.Error("a deleted key is still live, or a different key is not")
	}
	again, err := w.Stores.Apps.DeleteAPIKey(t.Context(), endlessID, w.Clock.Now())
	if !errs.HasCode(err, app.ErrKeyNotFound.Code) || again.ID != first.ID {
		t.Errorf("deleted again: %+v, %v; want the pending entry %d", again, err, first.ID)
	}
	newestID, _ := issue(a.App.ID, nil)
	left, err := w.Stores.Apps.APIKeys(t.Context(), a.App.ID, false)
	if err != nil || len(left) != 2 || left[0].ID != newestID || left[1].ID != shortID {
		t.Errorf("keys left, newest first: %+v, %v", left, err)
	}
}
