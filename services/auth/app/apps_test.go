package app_test

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// change updates those fields of an app that are listed in paths.
func (w *world) change(c client, to *authv1.UpdateAppRequest, paths ...string) (*authv1.App, error) {
	to.Id, to.UpdateMask = c.app.GetId(), &fieldmaskpb.FieldMask{Paths: paths}
	resp, err := w.developers.UpdateApp(w.Context(), to)
	return resp.GetApp(), err
}

// rescope replaces the scopes of an app.
func (w *world) rescope(c client, scopes ...string) {
	w.Helper()
	_, err := w.change(c, &authv1.UpdateAppRequest{Scopes: scopes}, "scopes")
	w.must(err)
}

func (w *world) deleteApp(c client) error {
	_, err := w.developers.DeleteApp(w.Context(), &authv1.DeleteAppRequest{Id: c.app.GetId()})
	return err
}

// appsOf lists an account's apps.
func (w *world) appsOf(accountID string, deletedToo bool) []*authv1.ListedApp {
	w.Helper()
	resp, err := w.developers.ListApps(w.Context(), &authv1.ListAppsRequest{AccountId: accountID, IncludeDeleted: deletedToo})
	w.must(err)
	return resp.GetApps()
}

func TestAppFieldsAreStoredAndChanged(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	made, err := w.developers.CreateApp(t.Context(), &authv1.CreateAppRequest{
		AccountId: w.account(), Name: "Noor Careers", ClientType: confidential, Description: "Finds work.\nFor everyone.",
		Homepage: "https://noor.example", PrivacyPolicy: "https://noor.example/privacy", Terms: "http://localhost:8090/terms",
		Support: "help@noor.example", RedirectUris: []string{redirectURI}, Scopes: []string{"profile"},
	})
	w.must(err)
	app := made.GetApp()
	if app.GetCreatedBy() != "vitaectl" || !app.GetUpdatedAt().AsTime().Equal(app.GetCreatedAt().AsTime()) {
		t.Errorf("created by %q, changed at %v", app.GetCreatedBy(), app.GetUpdatedAt())
	}
	w.clock.Advance(day)
	changed, err := w.change(client{app: app}, &authv1.UpdateAppRequest{
		Name: "Noor", Homepage: "", Support: "https://noor.example/help", Description: "is not named, so it stays",
	}, "name", "homepage", "support")
	w.must(err)
	read, err := w.developers.GetApp(t.Context(), &authv1.GetAppRequest{Id: app.GetId()})
	w.must(err)
	for _, got := range []*authv1.App{changed, read.GetApp()} {
		if got.GetName() != "Noor" || got.GetHomepage() != "" || got.GetSupport() != "https://noor.example/help" ||
			got.GetDescription() != "Finds work.\nFor everyone." || got.GetPrivacyPolicy() != "https://noor.example/privacy" ||
			got.GetTerms() != "http://localhost:8090/terms" || !slices.Equal(got.GetRedirectUris(), []string{redirectURI}) ||
			!slices.Equal(got.GetScopes(), []string{"profile"}) || !got.GetUpdatedAt().AsTime().Equal(w.clock.Now()) {
			t.Errorf("the app is %v", got)
		}
	}
}

func TestAppChangeNamesEveryInvalidField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	_, err := w.change(c, &authv1.UpdateAppRequest{
		Name: " ", Homepage: "http://noor.example", PrivacyPolicy: "javascript:alert(1)", Terms: "https://a:b@noor.example",
		Support: "Noor <help@noor.example>", LogoUrl: "data:,", Description: "a\x00", Logo: []byte("GIF89a"),
		RedirectUris: []string{redirectURI, "http://partner.example/cb", redirectURI, "https://partner.example/#"},
		Scopes:       []string{"profile", "jobs:read"},
	}, "name", "homepage", "privacy_policy", "terms", "support", "logo_url", "description", "redirect_uris", "scopes", "logo")
	var named []string
	if e, ok := errs.As(err); ok {
		for _, v := range e.Violations {
			named = append(named, v.Field)
		}
	}
	slices.Sort(named)
	want := []string{"description", "homepage", "logo", "logo_url", "name", "privacy_policy", "redirect_uris[1]", "redirect_uris[2]",
		"redirect_uris[3]", "scopes[1]", "support", "terms"}
	if !slices.Equal(named, want) {
		t.Errorf("named %v\nwant %v (%v)", named, want, err)
	}
	for _, path := range []string{"client_type", "legacy", "account_id", "Name", ""} {
		if _, err := w.change(c, &authv1.UpdateAppRequest{}, path); status.Code(err) != codes.InvalidArgument && errs.KindOf(err) != errs.Invalid {
			t.Errorf("the mask %q: %v", path, err)
		}
	}
	if _, err := w.change(c, &authv1.UpdateAppRequest{}, "client_type"); err == nil || !strings.Contains(err.Error(), "fixed") {
		t.Errorf("a change of the client type: %v", err)
	}
	if _, err := w.change(c, &authv1.UpdateAppRequest{Scopes: []string{"cv:contact"}}, "scopes"); !errs.HasCode(err, "INVALID_ARGUMENT") {
		t.Errorf("cv:contact without cv:read: %v", err)
	}
	for _, unknown := range []string{id.New("app"), "app\x00"} {
		_, err := w.change(client{app: &authv1.App{Id: unknown}}, &authv1.UpdateAppRequest{Name: "x"}, "name")
		wantCode(t, err, "APP_NOT_FOUND")
	}
}

// A lost scope must be rejected in every request that begins after the change returns.
func TestLostScopeIsRejectedEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replica := w.replica()
	tokens := w.connect(p, c, everything...)
	code := w.consent(p, c, everything...)
	before := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	w.rescope(c, "profile")
	for _, at := range []*world{w, replica} {
		got := at.live(c, tokens.GetAccessToken()).GetPrincipal()
		if !slices.Equal(got.GetScopes(), []string{"profile"}) || !slices.Equal(got.GetGrantedScopes(), []string{"profile"}) ||
			got.GetCvId() != "" || got.GetCvLinkId() != "" {
			t.Errorf("a gateway uses the scopes %v", got)
		}
		at.dead(cvLink, c.app.GetAccountId(), before.GetCvLinkId())
	}
	if got := w.introspect(c, tokens.GetAccessToken()).GetScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("introspection returned %v", got)
	}
	if got := w.introspect(c, tokens.GetRefreshToken()).GetScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("introspection of the refresh token returned %v", got)
	}
	if got := w.exchange(c, code).GetScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("an earlier code was exchanged for %v", got)
	}
	if got := w.refresh(c, tokens.GetRefreshToken()).GetScopes(); !slices.Equal(got, []string{"profile"}) {
		t.Errorf("a refresh returned %v", got)
	}
	shown := w.connectionOf(p)
	if !slices.Equal(shown.GetScopes(), []string{"profile"}) || shown.GetCvGranted() {
		t.Errorf("the person sees %v", shown)
	}
	_, err := w.connections.UpdateConnection(t.Context(), &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: shown.GetId(), CvSharing: new(bool)})
	w.must(err)
	asked, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: parameters(c, allScopes)})
	w.must(err)
	if asked.GetFault().GetError() != "invalid_scope" {
		t.Errorf("an authorization request for the lost scopes: %v", asked)
	}
}

// The page of connected apps has shown the person that the app can no longer see the CV. Only the person may grant
// that access again.
func TestRegainedScopeNeedsNewConsent(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, everything...)
	before := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	w.rescope(c, "email")
	if _, err := w.photoOf(before); err == nil {
		t.Error("the app sees the photo without the profile and the CV")
	}
	w.rescope(c, everything...)
	if got := w.live(c, tokens.GetAccessToken()).GetPrincipal(); !slices.Equal(got.GetScopes(), []string{"email"}) {
		t.Errorf("without a consent the app sees %v", got)
	}
	w.dead(cvLink, c.app.GetAccountId(), before.GetCvLinkId())
	if _, err := w.photoOf(before); err == nil {
		t.Error("the app sees the photo without a new consent")
	}
	if got := w.connectionOf(p).GetScopes(); !slices.Equal(got, []string{"email"}) {
		t.Errorf("the person sees %v", got)
	}
	w.consent(p, c, everything...)
	after := w.live(c, w.refresh(c, tokens.GetRefreshToken()).GetAccessToken()).GetPrincipal()
	if !slices.Equal(after.GetScopes(), everything) || after.GetCvLinkId() == "" {
		t.Errorf("after a consent the app sees %v", after)
	}
	if after.GetCvLinkId() == before.GetCvLinkId() {
		t.Error("the revoked durable link works again")
	}
	if _, err := w.photoOf(before); err == nil {
		t.Error("the revoked photo URL works again")
	}
	_, err := w.photoOf(after)
	w.must(err)
}

func TestLegacyConsentIgnoresScopesOfApp(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	token := w.legacyConnect(p, c)
	w.rescope(c, "profile")
	if got := w.legacyLive(c, token).GetPrincipal(); !slices.Equal(got.GetScopes(), []string{profileRead}) || got.GetCvLinkId() == "" {
		t.Errorf("the token has the scopes %v", got)
	}
}

// The test checks a consent before the app change commits, and stores it afterwards.
func TestConsentCheckedBeforeAppChangeFails(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*world, client) error{
		"a lost redirect URI": func(w *world, c client) error {
			_, err := w.change(c, &authv1.UpdateAppRequest{RedirectUris: []string{"https://partner.example/other"}}, "redirect_uris")
			return err
		},
		"a lost scope": func(w *world, c client) error {
			_, err := w.change(c, &authv1.UpdateAppRequest{Scopes: []string{"profile"}}, "scopes")
			return err
		},
		"a deletion": func(w *world, c client) error { return w.deleteApp(c) },
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			p, c := w.person("a@example.com"), w.confidential()
			// The transaction holds the lock on the app, so the app change waits before its commit.
			tx, err := w.db.Begin(t.Context())
			w.must(err)
			_, err = tx.Exec(t.Context(), "LOCK TABLE audit_events IN ACCESS EXCLUSIVE MODE")
			w.must(err)
			changed, consented := make(chan error, 1), make(chan error, 1)
			go func() { changed <- change(w, c) }()
			w.waiting(1)
			go func() {
				_, err := w.oauth.Authorize(context.Background(), &authv1.AuthorizeRequest{
					Parameters: parameters(c, allScopes), SessionToken: p.session, GrantedScopes: everything, CvId: "master",
				})
				consented <- err
			}()
			w.waiting(2)
			w.must(tx.Rollback(t.Context()))
			w.must(<-changed)
			wantCode(t, <-consented, "OAUTH_INVALID_REQUEST")
			var codes int
			w.must(w.db.QueryRow(t.Context(), "SELECT count(*) FROM authorization_codes").Scan(&codes))
			if codes != 0 {
				t.Errorf("%d codes were issued", codes)
			}
		})
	}
}

func TestRefreshReuseEndsFamilyWithoutScopes(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	first := w.connect(w.person("a@example.com"), c, "profile")
	second := w.refresh(c, first.GetRefreshToken())
	if _, err := w.db.Exec(t.Context(), "UPDATE apps SET scopes = '{}' WHERE id = $1", c.app.GetId()); err != nil {
		t.Fatal(err)
	}
	wantCode(t, w.refreshError(c, first.GetRefreshToken()), "OAUTH_INVALID_GRANT")
	w.dead(accessToken, c.app.GetAccountId(), second.GetAccessToken())
}

func TestListedAppsShowTheirState(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	account := c.app.GetAccountId()
	w.connect(w.person("a@example.com"), c, "profile")
	if apps := w.appsOf(account, false); len(apps) != 1 || apps[0].GetConnections() != 1 || apps[0].GetState() != authv1.AppState_APP_STATE_LIVE {
		t.Errorf("listed %v", apps)
	}
	_, err := w.developers.SuspendAccount(t.Context(), &authv1.SuspendAccountRequest{Id: account})
	w.must(err)
	if apps := w.appsOf(account, false); apps[0].GetState() != authv1.AppState_APP_STATE_SUSPENDED {
		t.Errorf("apps of a suspended account: %v", apps)
	}
	_, err = w.developers.ListApps(t.Context(), &authv1.ListAppsRequest{AccountId: id.New("dev")})
	wantCode(t, err, "ACCOUNT_NOT_FOUND")
}
