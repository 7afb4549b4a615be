package app_test

import (
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// profileRead is the only scope in the legacy interface.
const profileRead = "profile:read"

// legacyClient creates an app that may use both the legacy and the current interface.
func (w *world) legacyClient() client {
	w.Helper()
	return w.marked("profile", "email", "cv:read", "cv:contact")
}

// marked creates an app that is marked as legacy.
func (w *world) marked(scopes ...string) client {
	w.Helper()
	resp, err := w.developers.CreateApp(w.Context(), &authv1.CreateAppRequest{
		AccountId: w.account(), Name: "Legacy site", ClientType: confidential, Legacy: true,
		RedirectUris: []string{redirectURI}, Scopes: scopes,
	})
	w.must(err)
	return client{app: resp.GetApp(), secret: resp.GetClientSecret()}
}

func legacyParameters(c client) *authv1.AuthorizationParameters {
	return &authv1.AuthorizationParameters{
		ResponseType: "code", ClientId: c.app.GetClientId(), RedirectUri: redirectURI, Scope: profileRead, Legacy: true,
	}
}

// legacyConsent grants access to the profile and the photo, and returns the code.
func (w *world) legacyConsent(p person, c client) string {
	w.Helper()
	resp, err := w.oauth.Authorize(w.Context(), &authv1.AuthorizeRequest{
		Parameters: legacyParameters(c), SessionToken: p.session, GrantedScopes: []string{profileRead}, SharePhoto: true,
	})
	w.must(err)
	if resp.GetFault() != nil {
		w.Fatalf("fault: %v", resp.GetFault())
	}
	return resp.GetCode()
}

func (w *world) tryLegacyExchange(auth *authv1.ClientAuthentication, code string) (*authv1.ExchangeLegacyCodeResponse, error) {
	return w.legacy.ExchangeLegacyCode(w.Context(), &authv1.ExchangeLegacyCodeRequest{Client: auth, Code: code})
}

func (w *world) legacyExchange(c client, code string) string {
	w.Helper()
	resp, err := w.tryLegacyExchange(c.auth(), code)
	w.must(err)
	return resp.GetAccessToken()
}

// legacyConnect takes a person through the legacy consent and code exchange, and returns the token.
func (w *world) legacyConnect(p person, c client) string {
	w.Helper()
	return w.legacyExchange(c, w.legacyConsent(p, c))
}

func (w *world) legacyRevoke(token string) error {
	hash := credential.Hash(token)
	_, err := w.legacy.RevokeLegacyToken(w.Context(), &authv1.RevokeLegacyTokenRequest{Hash: hash[:]})
	return err
}

// legacyLive fails the test unless a gateway replica accepts the token twice. The first request creates a session
// record, which the second one uses.
func (w *world) legacyLive(c client, token string) *authv1.SessionRecord {
	w.Helper()
	var r *authv1.SessionRecord
	for range 2 {
		if r = w.record(legacyToken, c.app.GetAccountId(), token); r == nil {
			w.Fatal("the token is rejected")
		}
	}
	return r
}

// legacyConnectionOf returns the person's only legacy connection.
func (w *world) legacyConnectionOf(p person) *authv1.Connection {
	w.Helper()
	resp, err := w.connections.ListConnections(w.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)})
	w.must(err)
	var found []*authv1.Connection
	for _, c := range resp.GetConnections() {
		if c.GetLegacy() {
			found = append(found, c)
		}
	}
	if len(found) != 1 {
		w.Fatalf("connections of the legacy interface: %v, want one", found)
	}
	return found[0]
}

// loseRecords deletes from Redis the keys that belong to the client's account. It doesn't use FLUSHALL, because
// other tests share the server.
func (w *world) loseRecords(c client) {
	w.Helper()
	keys, err := w.rdb.Keys(w.Context(), "{"+c.app.GetAccountId()+"}*").Result()
	w.must(err)
	w.must(w.rdb.Del(w.Context(), keys...).Err())
}

func TestCredentialsWorkOnlyAsTheirKind(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.legacyClient()
	account := c.app.GetAccountId()
	modern, legacy := w.connect(p, c, everything...).GetAccessToken(), w.legacyConnect(p, c)
	link := w.legacyLive(c, legacy).GetPrincipal().GetCvLinkId()
	w.live(c, modern)
	key, err := w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})
	w.must(err)
	own := map[string]identityv1.CredentialKind{legacy: legacyToken, modern: accessToken, link: cvLink, key.GetSecret(): apiKey}
	kinds := []identityv1.CredentialKind{legacyToken, accessToken, cvLink, apiKey}
	for _, later := range []time.Duration{0, 2 * time.Hour} { // first live, then expired
		w.clock.Advance(later)
		for secret, is := range own {
			for _, kind := range kinds {
				if kind == is {
					continue
				}
				if r, err := w.resolve(kind, secret); !errs.HasCode(err, "CREDENTIAL_NOT_ISSUED") {
					t.Errorf("resolving a %v as %v: %v, %v", is, kind, r, err)
				}
				w.dead(kind, account, secret)
			}
			if is == legacyToken {
				continue
			}
			if err := w.legacyRevoke(secret); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
				t.Errorf("a %v was revoked as a legacy token: %v", is, err)
			}
		}
	}
}

func TestScopesBelongToOneInterface(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.marked(append(slices.Clone(everything), profileRead)...)
	if got := c.app.GetScopes(); !slices.Equal(got, everything) {
		t.Errorf("the app may request %v", got)
	}
	for _, params := range []*authv1.AuthorizationParameters{
		{Legacy: true}, {Legacy: true, Scope: "profile"}, {Legacy: true, Scope: profileRead + " profile"},
		{Scope: profileRead}, {Scope: "profile " + profileRead},
	} {
		params.ResponseType, params.ClientId, params.RedirectUri = "code", c.app.GetClientId(), redirectURI
		if !params.GetLegacy() {
			params.CodeChallenge, params.CodeChallengeMethod = parameters(c, "").GetCodeChallenge(), "S256"
		}
		checked, err := w.oauth.CheckAuthorization(t.Context(), &authv1.CheckAuthorizationRequest{Parameters: params})
		w.must(err)
		if checked.GetFault().GetError() != "invalid_scope" {
			t.Errorf("%v: %v", params, checked)
		}
	}
	tokens := w.connect(p, c, "profile")
	_, err := w.oauth.RefreshToken(t.Context(), &authv1.RefreshTokenRequest{
		Client: c.auth(), RefreshToken: tokens.GetRefreshToken(), Scope: proto.String(profileRead),
	})
	wantCode(t, err, "OAUTH_INVALID_SCOPE")
}
