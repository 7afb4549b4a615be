package app_test

import (
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// ended checks that nothing of an app works: what it has issued and held, and asking for more.
func (w *world) ended(c client, p person, tokens *authv1.TokenPair, code, key, link string, photo func() error) {
	w.Helper()
	account := c.app.GetAccountId()
	w.dead(accessToken, account, tokens.GetAccessToken())
	w.dead(apiKey, account, key)
	w.dead(cvLink, account, link)
	if photo() == nil {
		w.Error("the photo is shown")
	}
	wantCode(w, w.refreshError(c, tokens.GetRefreshToken()), "OAUTH_INVALID_CLIENT")
	_, err := w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code))
	wantCode(w, err, "OAUTH_INVALID_CLIENT")
	if w.authenticates(c) {
		w.Error("the secret is taken")
	}
	_, err = w.oauth.CheckAuthorization(w.Context(), &authv1.CheckAuthorizationRequest{Parameters: parameters(c, "profile")})
	wantCode(w, err, "OAUTH_INVALID_CLIENT")
	listed, err := w.connections.ListConnections(w.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)})
	w.must(err)
	if len(listed.GetConnections()) != 0 {
		w.Errorf("the person is shown %v", listed.GetConnections())
	}
}

// The job that ends the rows has not run yet: its first round was before there was an app.
func TestADeletedAppIsRefusedEverywhereFromTheAnswerOn(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	p, c := w.person("a@example.com"), w.confidential()
	replica := w.replica()
	tokens := w.connect(p, c, everything...)
	code, key := w.consent(p, c, everything...), w.key(c, nil).GetSecret()
	shown := w.live(c, tokens.GetAccessToken()).GetPrincipal()
	if w.record(apiKey, c.app.GetAccountId(), key) == nil {
		t.Fatal("the key is refused")
	}
	w.must(w.deleteApp(c))
	for _, at := range []*world{w, replica} {
		at.ended(c, p, tokens, code, key, shown.GetCvLinkId(), func() error {
			_, err := at.photoOf(shown)
			return err
		})
	}
	w.must(w.rdb.FlushAll(t.Context()).Err())
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
	w.dead(apiKey, c.app.GetAccountId(), key)
}

func TestADeletedAppIsFoundByNobodyButInTheListForNames(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	key := w.key(c, nil).GetApiKey().GetId()
	secret := w.secrets(c)[0].GetId()
	w.must(w.deleteApp(c))
	for name, call := range map[string]func() error{
		"GetApp": func() error {
			_, err := w.developers.GetApp(t.Context(), &authv1.GetAppRequest{Id: c.app.GetId()})
			return err
		},
		"UpdateApp": func() error {
			_, err := w.change(c, &authv1.UpdateAppRequest{Name: "x"}, "name")
			return err
		},
		"DeleteApp": func() error { return w.deleteApp(c) },
		"RotateClientSecret": func() error {
			_, err := w.developers.RotateClientSecret(t.Context(), &authv1.RotateClientSecretRequest{AppId: c.app.GetId()})
			return err
		},
		"ListClientSecrets": func() error {
			_, err := w.developers.ListClientSecrets(t.Context(), &authv1.ListClientSecretsRequest{AppId: c.app.GetId()})
			return err
		},
		"CreateApiKey": func() error {
			_, err := w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})
			return err
		},
		"ListApiKeys": func() error {
			_, err := w.developers.ListApiKeys(t.Context(), &authv1.ListApiKeysRequest{AppId: c.app.GetId()})
			return err
		},
	} {
		if err := call(); !errs.HasCode(err, "APP_NOT_FOUND") {
			t.Errorf("%s: %v", name, err)
		}
	}
	_, err := w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: key})
	wantCode(t, err, "API_KEY_NOT_FOUND")
	_, err = w.developers.DeleteClientSecret(t.Context(), &authv1.DeleteClientSecretRequest{Id: secret})
	wantCode(t, err, "CLIENT_SECRET_NOT_FOUND")
	if apps := w.appsOf(c.app.GetAccountId(), false); len(apps) != 0 {
		t.Errorf("listed %v", apps)
	}
	apps := w.appsOf(c.app.GetAccountId(), true)
	if len(apps) != 1 || apps[0].GetApp().GetName() != "Partner site" || apps[0].GetState() != authv1.AppState_APP_STATE_DELETED ||
		!apps[0].GetApp().GetDeletedAt().AsTime().Equal(w.clock.Now()) || apps[0].GetConnections() != 0 {
		t.Errorf("for names: %v", apps)
	}
	keys, err := w.developers.ListApiKeys(t.Context(), &authv1.ListApiKeysRequest{AppId: c.app.GetId(), IncludeDeleted: true})
	w.must(err)
	if len(keys.GetApiKeys()) != 1 || keys.GetApiKeys()[0].GetName() != "k" || keys.GetApiKeys()[0].GetDeletedAt() == nil {
		t.Errorf("keys for names: %v", keys)
	}
	events, err := w.audit.ListEvents(t.Context(), &authv1.ListEventsRequest{AppId: c.app.GetId(), Actions: []string{"app.delete"}})
	w.must(err)
	if !slices.ContainsFunc(events.GetEvents(), func(e *authv1.AuditEvent) bool {
		return e.GetOutcome() == authv1.AuditOutcome_AUDIT_OUTCOME_SUCCEEDED && e.GetAccountId() == c.app.GetAccountId()
	}) {
		t.Errorf("the audit log holds %v, and not the deletion", events)
	}
}

func TestATypedNameThatIsWrongDeletesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	for _, typed := range []string{"partner site", "Partner site ", c.app.GetId()} {
		_, err := w.developers.DeleteApp(t.Context(), &authv1.DeleteAppRequest{Id: c.app.GetId(), ConfirmName: typed})
		if e, ok := errs.As(err); !ok || e.Field() != "confirm_name" {
			t.Errorf("%q: %v", typed, err)
		}
	}
	if !w.authenticates(c) {
		t.Error("it is gone")
	}
	_, err := w.developers.DeleteApp(t.Context(), &authv1.DeleteAppRequest{Id: c.app.GetId(), ConfirmName: "Partner site"})
	w.must(err)
}

// The rows of thousands of connections end a few at a time; nothing works meanwhile.
func TestTheRowsOfADeletedAppsConnectionsEndLater(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c, other := w.confidential(), w.confidential()
	p := w.person("a@example.com")
	w.connect(p, other, everything...)
	for i := range 3 {
		w.connect(w.person(fmt.Sprint(i, "@example.com")), c, everything...)
		w.consent(w.person(fmt.Sprint(i, "b@example.com")), c, everything...)
	}
	w.must(w.deleteApp(c))
	store := w.store()
	var ended []int
	for {
		n, err := store.EndConnections(t.Context(), w.clock.Now(), 4)
		w.must(err)
		ended = append(ended, n)
		if n == 0 {
			break
		}
	}
	if fmt.Sprint(ended) != "[4 2 0]" {
		t.Errorf("ended %v", ended)
	}
	var live int
	w.must(w.db.QueryRow(t.Context(), `SELECT
		(SELECT count(*) FROM connections WHERE ended_at IS NULL AND app_id = $1) +
		(SELECT count(*) FROM token_families WHERE revoked_at IS NULL AND app_id = $1) +
		(SELECT count(*) FROM access_tokens WHERE revoked_at IS NULL AND app_id = $1) +
		(SELECT count(*) FROM authorization_codes WHERE revoked_at IS NULL AND used_at IS NULL AND app_id = $1) +
		(SELECT count(*) FROM cv_links l JOIN connections c ON c.id = l.connection_id WHERE l.ended_at IS NULL AND c.app_id = $1)`,
		c.app.GetId()).Scan(&live))
	if live != 0 {
		t.Errorf("%d rows live on", live)
	}
	if got := w.connectionOf(p); got.GetApp().GetId() != other.app.GetId() {
		t.Errorf("another app's connection is %v", got)
	}
}

// credentialOf is a secret of a kind.
type credentialOf struct {
	kind   identityv1.CredentialKind
	secret string
}

// Exchanges, new keys and consents run on both replicas before, during and after the
// deletion. What they gave, works nowhere after its answer.
func TestNothingThatIsMadeBesideADeletionOutlivesIt(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	replicas := []*world{w, w.replica()}
	for round := range 8 {
		p, c := w.person(fmt.Sprint(round, "@example.com")), w.confidential()
		account := c.app.GetAccountId()
		makes := []func(*world) (credentialOf, error){
			func(w *world) (credentialOf, error) {
				resp, err := w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{AppId: c.app.GetId(), Scopes: []string{"jobs:read"}})
				return credentialOf{apiKey, resp.GetSecret()}, err
			},
			func(w *world) (credentialOf, error) {
				resp, err := w.oauth.Authorize(t.Context(), &authv1.AuthorizeRequest{
					Parameters: parameters(c, allScopes), SessionToken: p.session, GrantedScopes: everything, CvId: "master",
				})
				if err != nil {
					return credentialOf{}, err
				}
				pair, err := w.oauth.ExchangeCode(t.Context(), exchangeRequest(c, resp.GetCode()))
				return credentialOf{accessToken, pair.GetTokens().GetAccessToken()}, err
			},
		}
		var answered atomic.Bool
		var late, seen sync.Map
		var requests sync.WaitGroup
		for i := range 4 {
			requests.Go(func() {
				for after := 0; after < 3; {
					begunLate := answered.Load()
					made, err := makes[i%2](replicas[i/2])
					switch {
					case err == nil && begunLate:
						late.Store(made, true)
					case err == nil:
						seen.Store(made, true)
						replicas[i/2].record(made.kind, account, made.secret) // leaves a record
					}
					if begunLate {
						after++
					}
				}
			})
		}
		w.must(w.deleteApp(c))
		answered.Store(true)
		requests.Wait()
		late.Range(func(made, _ any) bool {
			t.Errorf("made after the answer: %v", made)
			return true
		})
		seen.Range(func(made, _ any) bool {
			w.dead(made.(credentialOf).kind, account, made.(credentialOf).secret)
			return true
		})
	}
}

// Redis is down when the app is deleted. The call waits until no record can live, and a
// repeated one finds what is left to do.
func TestADeletionWithoutRedisIsAnsweredWhenNoRecordCanLive(t *testing.T) {
	t.Parallel()
	server := testkit.PrivateRedis(t)
	w := newWorldOn(t, server.URL())
	p, c := w.person("a@example.com"), w.confidential()
	tokens := w.connect(p, c, "profile")
	w.live(c, tokens.GetAccessToken())
	server.Kill()
	w.must(w.deleteApp(c))
	w.dead(accessToken, c.app.GetAccountId(), tokens.GetAccessToken())
	wantCode(t, w.deleteApp(c), "APP_NOT_FOUND")
}
