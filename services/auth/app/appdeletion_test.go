package app_test

import (
	"slices"
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// ended fails the test unless every credential of an app is rejected and the app cannot get new
// ones.
func (w *world) ended(c client, p person, tokens *authv1.TokenPair, code, key string, shown *identityv1.Principal) {
	w.Helper()
	account := c.app.GetAccountId()
	w.dead(accessToken, account, tokens.GetAccessToken())
	w.dead(apiKey, account, key)
	w.dead(cvLink, account, shown.GetCvLinkId())
	if _, err := w.photoOf(shown); err == nil {
		w.Error("the photo is still shown")
	}
	for name, err := range map[string]error{
		"refresh":   w.refreshError(c, tokens.GetRefreshToken()),
		"exchange":  second(w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code))),
		"authorize": second(w.oauth.CheckAuthorization(w.Context(), &authv1.CheckAuthorizationRequest{Parameters: parameters(c, "profile")})),
	} {
		if codeOf(err) != "OAUTH_INVALID_CLIENT" {
			w.Errorf("%s: %v", name, err)
		}
	}
	if w.authenticates(c) {
		w.Error("the client secret is accepted")
	}
	listed, err := w.connections.ListConnections(w.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)})
	w.must(err)
	if len(listed.GetConnections()) != 0 {
		w.Errorf("the person sees the connections %v", listed.GetConnections())
	}
}

// The test never runs the cleanup job that deletes the rows: credentials must be rejected before it runs.
func TestDeletedAppIsRejectedEverywhere(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replica := w.replica()
	tokens := w.connect(p, c, everything...)
	code, key := w.consent(p, c, everything...), w.key(c, nil).GetSecret()
	shown := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	if w.record(apiKey, c.app.GetAccountId(), key) == nil {
		t.Fatal("the key is rejected before the deletion")
	}
	w.must(w.deleteApp(c))
	for _, at := range []*world{w, replica} {
		at.ended(c, p, tokens, code, key, shown)
	}
	w.must(w.rdb.FlushAll(t.Context()).Err())
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
	w.dead(apiKey, c.app.GetAccountId(), key)
}

func TestDeletedAppIsFoundOnlyInFullList(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	key := w.key(c, nil).GetApiKey().GetId()
	secret := w.secrets(c)[0].GetId()
	w.must(w.deleteApp(c))
	for name, err := range map[string]error{
		"get":             second(w.developers.GetApp(t.Context(), &authv1.GetAppRequest{Id: c.app.GetId()})),
		"update":          second(w.change(c, &authv1.UpdateAppRequest{Name: "x"}, "name")),
		"delete":          w.deleteApp(c),
		"rotate a secret": second(w.rotation(c, 0, false)),
		"list secrets":    second(w.developers.ListClientSecrets(t.Context(), &authv1.ListClientSecretsRequest{AppId: c.app.GetId()})),
		"create a key":    second(w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})),
		"list keys":       second(w.developers.ListApiKeys(t.Context(), &authv1.ListApiKeysRequest{AppId: c.app.GetId()})),
	} {
		if codeOf(err) != "APP_NOT_FOUND" {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: key})
	wantCode(t, err, "API_KEY_NOT_FOUND")
	_, err = w.developers.DeleteClientSecret(t.Context(), &authv1.DeleteClientSecretRequest{Id: secret})
	wantCode(t, err, "CLIENT_SECRET_NOT_FOUND")
	if apps := w.appsOf(c.app.GetAccountId(), false); len(apps) != 0 {
		t.Errorf("listed apps: %v", apps)
	}
	apps := w.appsOf(c.app.GetAccountId(), true)
	if len(apps) != 1 || apps[0].GetApp().GetName() != "Partner site" || apps[0].GetState() != authv1.AppState_APP_STATE_DELETED ||
		!apps[0].GetApp().GetDeletedAt().AsTime().Equal(w.clock.Now()) || apps[0].GetConnections() != 0 {
		t.Errorf("with deleted apps: %v", apps)
	}
	keys, err := w.developers.ListApiKeys(t.Context(), &authv1.ListApiKeysRequest{AppId: c.app.GetId(), IncludeDeleted: true})
	w.must(err)
	if len(keys.GetApiKeys()) != 1 || keys.GetApiKeys()[0].GetName() != "k" || keys.GetApiKeys()[0].GetDeletedAt() == nil {
		t.Errorf("with deleted keys: %v", keys)
	}
	events, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{AppId: c.app.GetId(), Actions: []string{"app.delete"}})
	w.must(err)
	if !slices.ContainsFunc(events.GetEvents(), func(e *authv1.AuditEvent) bool {
		return e.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED && e.GetAccountId() == c.app.GetAccountId()
	}) {
		t.Errorf("the audit log contains %v but not the deletion", events)
	}
}
