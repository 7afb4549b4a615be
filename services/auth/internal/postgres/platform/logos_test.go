package platform_test

import (
	"errors"
	"testing"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/oauth/authorize"
	"vitae.internal/services/auth/internal/oauth/scope"
	"vitae.internal/services/auth/internal/platform/app"
)

// draws sets an app's logo, or removes it.
func draws(w *authtest.World, a authtest.App, version, jpeg string) {
	w.Helper()
	_, _, err := w.Stores.Apps.ChangeApp(w.Context(), a.App.ID, w.Clock.Now(), &app.Logo{Version: version, JPEG: []byte(jpeg)},
		func(app *app.App) { app.LogoVersion = version })
	w.Must(err)
}

func TestLogoIsReadAtTheAppsVersion(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a, same, other := w.Confidential(), w.Confidential(), w.Confidential()
	draws(w, a, "one", "of a")
	draws(w, same, "one", "of the same version")
	draws(w, other, "two", "of another version")
	reads := func(when string, of authtest.App, version, want string) {
		t.Helper()
		got, err := w.Stores.Apps.Logo(t.Context(), of.App.ID, version)
		if string(got) != want || want == "" && !errors.Is(err, app.ErrLogoNotFound) || want != "" && err != nil {
			t.Errorf("%s: version %s is %q, %v, want %q", when, version, got, err, want)
		}
	}
	reads("at first", a, "one", "of a")
	reads("at first", same, "one", "of the same version")
	reads("at first", other, "two", "of another version")
	reads("at first", a, "two", "")
	draws(w, a, "three", "new")
	reads("replaced", a, "one", "")
	reads("replaced", a, "three", "new")
	_, err := w.Pool.Exec(t.Context(), "UPDATE apps SET logo_version = 'four' WHERE id = $1", a.App.ID)
	w.Must(err)
	reads("the app has another", a, "three", "")
	draws(w, a, "", "")
	draws(w, a, "one", "again")
	reads("dropped", same, "one", "of the same version")
	_, err = w.Pool.Exec(t.Context(), "UPDATE apps SET deleted_at = $2 WHERE id = $1", a.App.ID, w.Clock.Now())
	w.Must(err)
	reads("deleted", a, "one", "")
	reads("beside a deleted one", same, "one", "of the same version")
	for _, app := range []authtest.App{a, same, other} {
		if got, err := w.Stores.Apps.AppOfAnyTime(t.Context(), app.App.ID); err != nil || got.ID != app.App.ID || (got.DeletedAt != nil) != (app.App.ID == a.App.ID) {
			t.Errorf("%s, even if deleted: %+v, %v", app.App.ID, got, err)
		}
	}
}

// After an app has lost a scope, the next consent must revoke the old photo URL
// (behaviour: apps#a-scope-that-an-app-loses). It must not change the photo URLs of other people's connections.
func TestPhotoURLIsRevokedAfterLostScope(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	a := w.Confidential()
	p, bystander := w.Person(), w.Person()
	version := func(personID string) (connectionID string, version int32) {
		t.Helper()
		w.Must(w.Pool.QueryRow(t.Context(), "SELECT id, photo_version FROM connections WHERE person_id = $1", personID).Scan(&connectionID, &version))
		return connectionID, version
	}
	consents := func(code string, scopes ...string) {
		t.Helper()
		_, err := w.Stores.Grants.Consent(t.Context(), authorize.Consent{
			ConnectionID: "con_" + code, PersonID: p, AppID: a.App.ID, RedirectURI: authtest.RedirectURI, Scopes: scope.Stored(scopes), SharePhoto: true,
			LinkID: "lnk_" + code, LinkHash: state.LinkHash("lnk_" + code), CodeHash: credential.Hash(code), CodeExpiresAt: w.Clock.Now().Add(time.Hour),
		}, w.Clock.Now())
		w.Must(err)
	}
	has := func(scopes ...string) {
		t.Helper()
		_, _, err := w.Stores.Apps.ChangeApp(t.Context(), a.App.ID, w.Clock.Now(), nil, func(app *app.App) { app.Scopes = scope.Stored(scopes) })
		w.Must(err)
	}
	w.Tokens(p, a, "profile")
	w.Tokens(bystander, a, "profile")
	connectionID, before := version(p)
	_, others := version(bystander)
	has("email")
	consents("after the loss", "email")
	_, after := version(p)
	if after <= before {
		t.Errorf("the version is %d after %d, so an earlier URL may have it", after, before)
	}
	if _, now := version(bystander); now != others {
		t.Errorf("a different person's version changed from %d to %d", others, now)
	}
	has("email", "profile")
	consents("once it is back", "email", "profile")
	if photo, err := w.Stores.States.PhotoAddress(t.Context(), connectionID, before, w.Clock.Now()); err == nil {
		t.Errorf("the previous URL resolves to %+v", photo)
	}
	if _, err := w.Stores.States.PhotoAddress(t.Context(), connectionID, after, w.Clock.Now()); err != nil {
		t.Errorf("the current URL: %v", err)
	}
}
