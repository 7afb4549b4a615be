package app_test

import (
	"context"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// clientID is the id of the client in these tests.
var clientID = credential.New(credential.ClientID)

// introspected is a scene whose fake auth service writes session records as the real service does.
type introspected struct {
	*scene
	rdb    redis.UniversalClient
	seal   *sessionrecord.Seal
	secret string
	// token and refresh are live tokens of the client.
	token, refresh string

	mu    sync.Mutex
	asked []*authv1.IntrospectTokenRequest
	// live holds the records of live credentials by digest.
	live map[credential.Digest]*authv1.SessionRecord
}

func newIntrospected(t *testing.T, options ...option) *introspected {
	t.Helper()
	return newIntrospectedOn(t, testkit.Redis(t), options...)
}

// newIntrospectedOn is like newIntrospected, but uses the Redis server at redisURL.
func newIntrospectedOn(t *testing.T, redisURL string, options ...option) *introspected {
	t.Helper()
	return joinIntrospected(t, redisURL, &introspected{
		secret: credential.New(credential.ClientSecret), token: newToken(), refresh: credential.New(credential.RefreshToken),
		live: map[credential.Digest]*authv1.SessionRecord{},
	}, options...)
}

// joinIntrospected starts another gateway for i on a shared Redis server.
func joinIntrospected(t *testing.T, redisURL string, i *introspected, options ...option) *introspected {
	t.Helper()
	i.scene = newOAuthScene(t, append([]option{set("VITAE_REDIS_URL", redisURL)}, options...)...)
	var err error
	if i.rdb, err = redisx.Open(redisx.Config{URL: redisURL}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = i.rdb.Close() })
	if i.seal, err = sessionrecord.NewSeal(testkit.Ring("record", "a")); err != nil {
		t.Fatal(err)
	}
	i.auth.introspect = i.answer
	i.auth.acts = audit.About{By: audit.ByApp("app_1"), AppID: "app_1", AccountID: "dev_1"}
	i.live[i.client()] = &authv1.SessionRecord{Principal: &identityv1.Principal{
		Kind: identityv1.CredentialKind_CREDENTIAL_KIND_CLIENT_SECRET, AccountId: "dev_1", AppId: "app_1",
	}}
	i.live[credential.Hash(i.token)] = i.ofToken("app_1")
	return i
}

func (i *introspected) client() credential.Digest {
	return credential.ClientDigest(clientID, credential.Hash(i.secret))
}

func (i *introspected) ofToken(app string) *authv1.SessionRecord {
	return &authv1.SessionRecord{
		Principal: &identityv1.Principal{
			Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AccountId: "dev_1", AppId: app,
			ConnectionId: "con_1", PersonId: "usr_1", Scopes: []string{"profile", "cv:read"}, GrantedScopes: []string{"profile", "cv:read", "email"},
		},
		Plan: widePlan(), ExpiresAt: timestamppb.New(time.Now().Add(time.Hour)),
	}
}

// answer returns the auth service's response. Only a client that sends the live secret gets the details
// of the live token.
func (i *introspected) answer(req *authv1.IntrospectTokenRequest) (*authv1.IntrospectTokenResponse, error) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.asked = append(i.asked, req)
	client := credential.ClientDigest(req.GetClient().GetClientId(), credential.Hash(req.GetClient().GetClientSecret()))
	token := credential.Hash(req.GetToken())
	if i.live[client] == nil {
		return nil, errs.New(errs.Unauthenticated, "OAUTH_INVALID_CLIENT", "Client authentication failed.")
	}
	if req.GetLeaveClientRecord() {
		i.putRecord(client, i.live[client])
	}
	held := i.live[token]
	if held == nil || held.GetPrincipal().GetAppId() != i.live[client].GetPrincipal().GetAppId() {
		return &authv1.IntrospectTokenResponse{}, nil
	}
	if req.GetLeaveTokenRecord() {
		i.putRecord(token, held)
	}
	return &authv1.IntrospectTokenResponse{
		Active: true, Scopes: held.GetPrincipal().GetScopes(), ClientId: clientID, PersonId: held.GetPrincipal().GetPersonId(),
		ExpiresAt: held.GetExpiresAt(), ConnectionId: held.GetPrincipal().GetConnectionId(),
	}, nil
}

// putRecord writes a session record as the auth service does.
func (i *introspected) putRecord(hash credential.Digest, record *authv1.SessionRecord) {
	i.t.Helper()
	ref := sessionrecord.Ref{AccountID: "dev_1", Hash: hash}
	lease, err := sessionrecord.BeginFill(context.Background(), i.rdb, ref)
	if err == nil {
		_, err = sessionrecord.CompleteFill(context.Background(), i.rdb, i.seal, ref, lease, proto.CloneOf(record), time.Now())
	}
	if err != nil {
		i.t.Error(err)
	}
}

// calls returns the number of calls to the auth service since calls was last called.
func (i *introspected) calls() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	n := len(i.asked)
	i.asked = nil
	return n
}

func (i *introspected) introspect(secret, token string) answer {
	i.t.Helper()
	return i.post("/oauth/introspect", url.Values{"token": {token}}.Encode(), "Authorization", basic(clientID, secret))
}

// warm introspects until the gateway no longer calls the auth service. On a busy machine, the first calls to
// Redis may time out.
func (i *introspected) warm() answer {
	i.t.Helper()
	for until := time.Now().Add(time.Minute); time.Now().Before(until); {
		i.calls()
		if a := i.introspect(i.secret, i.token); i.calls() == 0 {
			return a
		}
	}
	i.t.Fatal("the gateway still calls auth for each request")
	return answer{}
}

// same compares two responses, ignoring the Date and X-Request-Id headers.
func same(a, b answer) bool {
	strip := func(h http.Header) http.Header {
		h = h.Clone()
		h.Del("Date")
		h.Del("X-Request-Id")
		return h
	}
	return a.StatusCode == b.StatusCode && a.body == b.body && maps.EqualFunc(strip(a.Header), strip(b.Header), slices.Equal)
}

func TestRecordIntrospectionMatchesAuthService(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]*timestamppb.Timestamp{
		"with an expiry": timestamppb.New(time.Now().Add(time.Hour)), "without an expiry": nil,
		"between two seconds": timestamppb.New(time.Unix(time.Now().Unix()+3600, 999_999_000)),
	} {
		s := newIntrospected(t)
		s.live[credential.Hash(s.token)].ExpiresAt = end
		asked := s.introspect(s.secret, s.token)
		if found := s.warm(); !same(asked, found) || !strings.Contains(found.body, `"active":true`) {
			t.Errorf("%s: from auth %d %s %v, from the records %d %s %v", name, asked.StatusCode, asked.body, asked.Header, found.StatusCode, found.body, found.Header)
		}
	}
}

// (behaviour: usage#logged-requests)
func TestIntrospectionFromRecordsIsLogged(t *testing.T) {
	t.Parallel()
	log := make(lines, 1000)
	s := newIntrospected(t, logTo(log))
	s.warm()
	a := s.introspect(s.secret, s.token)
	if app, account := requestLine(t, log, a.Header.Get("X-Request-Id")); s.calls() != 0 || app != "app_1" || account != "dev_1" {
		t.Errorf("the log line has app %q and account %q", app, account)
	}
}

func TestInconclusiveRecordsAreCheckedWithAuth(t *testing.T) {
	t.Parallel()
	record := func(s *introspected, hash credential.Digest) string {
		key, _ := sessionrecord.Ref{AccountID: "dev_1", Hash: hash}.Keys()
		return key
	}
	copied := func(s *introspected, from, to credential.Digest) {
		s.putRecord(from, s.live[from])
		held := s.rdb.HGetAll(s.t.Context(), record(s, from)).Val()
		s.rdb.Del(s.t.Context(), record(s, to))
		s.rdb.HSet(s.t.Context(), record(s, to), held)
	}
	for name, c := range map[string]struct {
		// disturb returns the secret and the token to send.
		disturb func(*introspected) (secret, token string)
		status  int
		body    string
	}{
		"a wrong secret": {func(s *introspected) (string, string) {
			return credential.New(credential.ClientSecret), s.token
		}, 401, "invalid_client"},
		"a client record copied to a different secret": {func(s *introspected) (string, string) {
			wrong := credential.New(credential.ClientSecret)
			copied(s, s.client(), credential.ClientDigest(clientID, credential.Hash(wrong)))
			return wrong, s.token
		}, 401, "invalid_client"},
		"a deleted secret without a record": {func(s *introspected) (string, string) {
			delete(s.live, s.client())
			s.rdb.Del(s.t.Context(), record(s, s.client()))
			return s.secret, s.token
		}, 401, "invalid_client"},
		"a deleted secret with a new generation": {func(s *introspected) (string, string) {
			delete(s.live, s.client())
			s.rdb.Set(s.t.Context(), "{dev_1}:gen", "another", 0)
			return s.secret, s.token
		}, 401, "invalid_client"},
		"a token of a different app in the account": {func(s *introspected) (string, string) {
			other := newToken()
			s.live[credential.Hash(other)] = s.ofToken("app_2")
			s.putRecord(credential.Hash(other), s.ofToken("app_2"))
			return s.secret, other
		}, 200, `{"active":false}`},
		"a revoked token without a record": {func(s *introspected) (string, string) {
			delete(s.live, credential.Hash(s.token))
			s.rdb.Del(s.t.Context(), record(s, credential.Hash(s.token)))
			return s.secret, s.token
		}, 200, `{"active":false}`},
		"a revoked token with the record of a live one": {func(s *introspected) (string, string) {
			other := newToken()
			s.live[credential.Hash(other)] = s.ofToken("app_1")
			copied(s, credential.Hash(other), credential.Hash(s.token))
			delete(s.live, credential.Hash(s.token))
			return s.secret, s.token
		}, 200, `{"active":false}`},
		"all records missing": {func(s *introspected) (string, string) {
			s.rdb.FlushDB(s.t.Context())
			return s.secret, s.token
		}, 200, `"active":true`},
	} {
		t.Run(name, func(t *testing.T) {
			s := newIntrospected(t)
			s.warm()
			secret, token := c.disturb(s)
			s.calls()
			a := s.introspect(secret, token)
			if n := s.calls(); n != 1 || a.StatusCode != c.status || !strings.Contains(a.body, c.body) {
				t.Errorf("%d calls to auth, status %d %s", n, a.StatusCode, a.body)
			}
		})
	}
}

func TestPublicClientIntrospectionCallsAuth(t *testing.T) {
	t.Parallel()
	s := newIntrospected(t)
	s.live[credential.ClientDigest(clientID, credential.Hash(""))] = s.live[s.client()]
	for range 5 {
		a := s.post("/oauth/introspect", url.Values{"token": {s.token}, "client_id": {clientID}}.Encode())
		s.mu.Lock()
		req := s.asked[len(s.asked)-1]
		s.mu.Unlock()
		if a.StatusCode != 200 || s.calls() != 1 || req.GetLeaveClientRecord() || req.GetLeaveTokenRecord() {
			t.Fatalf("status %d %s, auth received %v", a.StatusCode, a.body, req)
		}
	}
}
