package console_test

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func TestSecretsAreShownOnce(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	for _, one := range []struct {
		path, secret string
		form         url.Values
	}{
		{"/apps/app_1/keys", "svc_sk_once", url.Values{"name": {"ats"}, "scopes": {"jobs:read", "companies:read"}, "expires": {"2026-12-31"}}},
		{"/apps/new", "svc_cs_once", url.Values{"name": {"web"}, "scopes": {"profile"}}},
		{"/team", "invited-once", url.Values{"email": {"omar@vitae.example"}, "role": {"viewer"}}},
	} {
		res := b.post(one.path, one.path, one.form)
		if res.StatusCode != http.StatusOK || res.Header.Get("Cache-Control") != "no-store" {
			t.Errorf("%s: status %d, %v", one.path, res.StatusCode, res.Header)
		}
		wantAll(t, body(t, res), one.secret, "Copy it now")
		for name, c := range b.cookies {
			if strings.Contains(c.Value, "once") {
				t.Errorf("%s: the cookie %s contains the secret", one.path, name)
			}
		}
		wantNone(t, b.page(one.path), one.secret)
	}
	if end := sent[*authv1.CreateApiKeyRequest](back)[0].GetExpiresAt().AsTime(); end.Format("2006-01-02T15:04") != "2027-01-01T00:00" {
		t.Errorf("a key whose last day is 31 December expires at %s", end)
	}
}

func TestAppUpdateSavesOrShowsErrors(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	form := url.Values{"name": {"Web"}, "redirect-uris": {"https://a.example/x\r\n\r\n  http://b.example  \n"}, "scopes": {"profile", "cv:read"}}
	leads(t, b.post("/apps/app_1", "/apps/app_1", form), "/apps/app_1")
	got := sent[*authv1.UpdateAppRequest](back)[0]
	if !slices.Equal(got.GetRedirectUris(), []string{"https://a.example/x", "http://b.example"}) || !slices.Equal(got.GetScopes(), []string{"profile", "cv:read"}) ||
		slices.Contains(got.GetUpdateMask().GetPaths(), "logo") {
		t.Errorf("the update is %v", got)
	}
	back.fail["UpdateApp"] = errs.New(errs.Invalid, "INVALID_ARGUMENT", "no").WithViolations(
		errs.Violation{Field: "redirect_uris[0]", Description: "has a fragment"}, errs.Violation{Field: "redirect_uris[1]", Description: "must be https"},
		errs.Violation{Field: "name", Description: "is blank"}, errs.Violation{Field: "scopes[0]", Description: "cv:contact needs cv:read"})
	wantAll(t, body(t, b.post("/apps/app_1", "/apps/app_1", form)),
		`href="#redirect-uris"`, "Redirect URIs: Line 2: must be https.</a>", `href="#name">Name: Is blank.</a>`, `id="name-fault">Is blank.`, "http://b.example",
		"Line 1: has a fragment.<br>Line 2: must be https.</p>", "Scopes: cv:contact needs cv:read.</a>")
}

func TestExpiringKeysAreMarked(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	for days, want := range map[int]string{-1: ">expired<", 6: ">soon<", 8: ""} {
		back.keys = []*authv1.ApiKey{{Id: "key_1", Name: "ats", Hint: "9xYz", ExpiresAt: timestamppb.New(now.AddDate(0, 0, days))}}
		page := b.page("/apps/app_1/keys")
		wantAll(t, page, "svc_sk_…9xYz")
		for _, word := range []string{">expired<", ">soon<"} {
			if shown := strings.Contains(page, word); shown != (word == want) {
				t.Errorf("%d days: %s is shown: %v", days, word, shown)
			}
		}
	}
}

func TestKeyWithoutScopesIsExplained(t *testing.T) {
	t.Parallel()
	back := newBackend()
	b := signIn(t, back, member(owner, "dev_1"))
	back.fail["CreateApiKey"] = errs.New(errs.Invalid, "INVALID_ARGUMENT", "x").WithViolations(errs.Violation{Field: "scopes", Description: "must contain at least 1 item(s)"})
	page := body(t, b.post("/apps/app_1/keys", "/apps/app_1/keys", url.Values{"name": {"laptop"}}))
	wantAll(t, page, "Select at least one scope.")
	wantNone(t, page, "item(s)")
}

func TestSecretIsIdentifiedBeforeDeletion(t *testing.T) {
	t.Parallel()
	b := signIn(t, newBackend(), member(owner, "dev_1"))
	wantAll(t, b.page("/apps/app_1/secrets/sec_1/delete"), "sec_1 was created on 1 Mar 2026 at 12:00 UTC and never used.")
	if res := b.get("/apps/app_1/secrets/sec_9/delete"); res.StatusCode != http.StatusNotFound {
		t.Errorf("an unknown secret: status %d", res.StatusCode)
	}
}

func TestPagesShowCreatorNames(t *testing.T) {
	t.Parallel()
	back := newBackend()
	back.keys = []*authv1.ApiKey{{Id: "key_1", Name: "ats", CreatedBy: "usr_2"}, {Id: "key_2", Name: "old", CreatedBy: "usr_gone"}, {Id: "key_3", CreatedBy: "internal/ops"}}
	back.invitations = []*authv1.Invitation{{Id: "inv_1", Email: "new@vitae.example", CreatedBy: "usr_2"}}
	b := signIn(t, back, member(owner, "dev_1"))
	wantAll(t, b.page("/apps/app_1"), "by <bdi>Layla</bdi>")
	wantAll(t, b.page("/apps/app_1/keys"), "by <bdi>Omar</bdi>", "by <bdi>usr_gone</bdi>", "by <bdi>internal/ops</bdi>")
	wantAll(t, b.page("/team"), `<td data-label="By"><bdi>Omar</bdi></td>`)
}

func TestConsentPreviewShowsTheApp(t *testing.T) {
	t.Parallel()
	previews, err := authorization.NewPreviews(testkit.Ring("cookie", "a"), clock.NewFake(now))
	if err != nil {
		t.Fatal(err)
	}
	for _, role := range []optionsv1.Role{owner, viewer} {
		back := newBackend()
		b := signIn(t, back, member(role, "dev_1"))
		wantAll(t, b.page("/apps/app_1"), `href="/apps/app_1/consent"`)
		back.calls = nil
		token, found := strings.CutPrefix(b.get("/apps/app_1/consent").Header.Get("Location"), appURL+authorization.PreviewPath)
		request, ok := previews.Read(token)
		if got := request.Parameters(); !found || !ok || got.GetClientId() != "svc_ci_1" || got.GetRedirectUri() != "https://rasheed.example/callback" || got.GetScope() != "profile email" {
			t.Errorf("%v: %v", role, got)
		}
		if len(sent[*authv1.GetAppRequest](back)) != 1 {
			t.Error("auth did not check the membership")
		}
	}
}

func TestConsentPreviewNeedsScopesAndRedirectURI(t *testing.T) {
	t.Parallel()
	for name, remove := range map[string]func(*authv1.App){
		"scopes": func(a *authv1.App) { a.Scopes = nil }, "redirect URIs": func(a *authv1.App) { a.RedirectUris = nil },
	} {
		back := newBackend()
		remove(back.app)
		b := signIn(t, back, member(owner, "dev_1"))
		wantNone(t, b.page("/apps/app_1"), "See the consent page")
		if res := b.get("/apps/app_1/consent"); res.StatusCode != http.StatusNotFound {
			t.Errorf("without %s: status %d", name, res.StatusCode)
		}
	}
}
