package app_test

import (
	"maps"
	"testing"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// A change without its event, or an event without its change, must not exist.
func TestWhereTheEventCannotBeWrittenTheChangeIsNotMade(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	changes := w.operatorsChanges()
	maps.Copy(changes, w.peoplesChanges())
	maps.Copy(changes, w.appsChanges())
	var service string
	w.must(connectAs(t, w.cfg.Postgres.URL).QueryRow(t.Context(), "SELECT current_user").Scan(&service))
	_, err := w.db.Exec(t.Context(), "REVOKE INSERT ON audit_events FROM "+service)
	w.must(err)
	before := w.fingerprint()
	for name, change := range changes {
		// A refusal would mean that the change was not tried.
		if err := change(); err == nil || errs.KindOf(err) != errs.Internal {
			t.Errorf("%s without an event: %v", name, err)
		}
		if after := w.fingerprint(); after != before {
			t.Fatalf("%s changed something without an event", name)
		}
	}
	_, err = w.db.Exec(t.Context(), "GRANT INSERT ON audit_events TO "+service)
	w.must(err)
	// The test sees what it says: with the right to write events each of them changes a row,
	// but those that have nothing to do when they come after another.
	for name, change := range changes {
		_ = change()
		after := w.fingerprint()
		if after == before && name != "sharing" && name != "revoke" && name != "revoke all" {
			t.Errorf("%s changes nothing that this test sees", name)
		}
		before = after
	}
}

// operatorsChanges are those of operators.
func (w *world) operatorsChanges() map[string]func() error {
	ctx := w.Context()
	c, suspended := w.confidential(), w.account()
	account, app := c.app.GetAccountId(), c.app.GetId()
	key := w.key(c, nil).GetApiKey().GetId()
	two := w.confidential()
	w.rotated(two, day)
	older := w.secrets(two)[1].GetId()
	_, err := w.developers.SuspendAccount(ctx, &authv1.SuspendAccountRequest{Id: suspended})
	w.must(err)
	return map[string]func() error{
		"create person": func() error {
			return second(w.people.CreatePerson(ctx, &authv1.CreatePersonRequest{Email: "b@example.com", Password: plainWord}))
		},
		"create account": func() error {
			return second(w.developers.CreateAccount(ctx, &authv1.CreateAccountRequest{Name: "n", Email: "b@example.com"}))
		},
		"plan": func() error {
			return second(w.developers.SetAccountPlan(ctx, &authv1.SetAccountPlanRequest{
				Id: account, Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_ELEVATED},
			}))
		},
		"suspend": func() error {
			return second(w.developers.SuspendAccount(ctx, &authv1.SuspendAccountRequest{Id: account}))
		},
		"resume": func() error {
			return second(w.developers.ResumeAccount(ctx, &authv1.ResumeAccountRequest{Id: suspended}))
		},
		"create app": func() error {
			return second(w.developers.CreateApp(ctx, &authv1.CreateAppRequest{AccountId: account, Name: "n", ClientType: confidential}))
		},
		"rotate secret": func() error {
			return second(w.developers.RotateClientSecret(ctx, &authv1.RotateClientSecretRequest{AppId: app}))
		},
		"delete secret": func() error { return w.deleteSecret(older) },
		"create key": func() error {
			return second(w.developers.CreateApiKey(ctx, &authv1.CreateApiKeyRequest{AppId: app, Name: "k", Scopes: []string{"jobs:read"}}))
		},
		"delete key": func() error {
			return second(w.developers.DeleteApiKey(ctx, &authv1.DeleteApiKeyRequest{Id: key}))
		},
	}
}

// peoplesChanges are those of people.
func (w *world) peoplesChanges() map[string]func() error {
	ctx := w.Context()
	c, p, leaves := w.confidential(), w.person("people@example.com"), w.person("leaves@example.com")
	w.connect(p, c, everything...)
	connection := w.connectionOf(p).GetId()
	other := w.confidential()
	off := false
	return map[string]func() error{
		"sign in": func() error {
			return second(w.sessions.SignIn(ctx, &authv1.SignInRequest{Email: "people@example.com", Password: plainWord, ClientIp: "203.0.113.7"}))
		},
		"consent": func() error {
			return second(w.oauth.Authorize(ctx, &authv1.AuthorizeRequest{
				Parameters: parameters(other, allScopes), SessionToken: p.session, GrantedScopes: []string{"profile"},
			}))
		},
		"sharing": func() error {
			return second(w.connections.UpdateConnection(ctx, &authv1.UpdateConnectionRequest{Actor: bySession(p), Id: connection, CvSharing: &off}))
		},
		"disconnect": func() error {
			return second(w.connections.Disconnect(ctx, &authv1.DisconnectRequest{Actor: bySession(p), Id: connection}))
		},
		"sign out": func() error {
			return second(w.sessions.SignOut(ctx, &authv1.SignOutRequest{SessionToken: leaves.session}))
		},
	}
}

// appsChanges are those of apps with codes and tokens.
func (w *world) appsChanges() map[string]func() error {
	ctx := w.Context()
	c, older := w.confidential(), w.legacyClient()
	p := w.person("apps@example.com")
	code, used, rotated := w.consent(p, c, everything...), w.consent(p, c, everything...), w.connect(p, c, everything...)
	w.exchange(c, used)
	w.refresh(c, rotated.GetRefreshToken())
	tokens, ended := w.connect(p, c, everything...), w.connect(p, c, everything...)
	olderToken, olderCode, olderUsed := w.legacyConnect(p, older), w.legacyConsent(p, older), w.legacyConsent(p, older)
	w.legacyExchange(older, olderUsed)
	revoke := func(token string) error {
		return second(w.oauth.RevokeToken(ctx, &authv1.RevokeTokenRequest{Client: c.auth(), Token: token}))
	}
	return map[string]func() error{
		"exchange":                func() error { return second(w.oauth.ExchangeCode(ctx, exchangeRequest(c, code))) },
		"replay of a code":        func() error { return second(w.oauth.ExchangeCode(ctx, exchangeRequest(c, used))) },
		"refresh":                 func() error { return w.refreshError(c, tokens.GetRefreshToken()) },
		"replay of a token":       func() error { return w.refreshError(c, rotated.GetRefreshToken()) },
		"revoke":                  func() error { return revoke(ended.GetAccessToken()) },
		"revoke all":              func() error { return revoke(ended.GetRefreshToken()) },
		"legacy exchange":         func() error { return second(w.tryLegacyExchange(older.auth(), olderCode)) },
		"replay of a legacy code": func() error { return second(w.tryLegacyExchange(older.auth(), olderUsed)) },
		"legacy revoke": func() error {
			hash := credential.Hash(olderToken)
			return second(w.legacy.RevokeLegacyToken(ctx, &authv1.RevokeLegacyTokenRequest{Hash: hash[:]}))
		},
	}
}

// fingerprint is a hash of what changes leave in the tables. When devices and secrets were
// used is noted beside a change, and is no change.
func (w *world) fingerprint() (hash string) {
	w.Helper()
	w.must(w.db.QueryRow(w.Context(), `SELECT md5(string_agg(t, E'\n' ORDER BY t)) FROM (
		SELECT p::text AS t FROM people p UNION ALL SELECT a::text FROM accounts a UNION ALL SELECT a::text FROM apps a
		UNION ALL SELECT jsonb_build_array(s.id, s.app_id, s.hash, s.created_at, s.created_by, s.expires_at)::text FROM client_secrets s
		UNION ALL SELECT k::text FROM api_keys k UNION ALL SELECT c::text FROM connections c UNION ALL SELECT c::text FROM authorization_codes c
		UNION ALL SELECT f::text FROM token_families f UNION ALL SELECT r::text FROM rotated_refresh_tokens r
		UNION ALL SELECT t::text FROM access_tokens t UNION ALL SELECT s::text FROM sessions s UNION ALL SELECT l::text FROM cv_links l
		UNION ALL SELECT o::text FROM forget_outbox o) rows`).Scan(&hash))
	return hash
}
