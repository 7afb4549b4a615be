package app_test

import (
	"cmp"
	"context"
	"errors"
	"io"
	"log/slog"
	"net"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/config"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	"vitae.internal/services/auth/app"
	"vitae.internal/services/auth/internal/oauth/pkce"
	"vitae.internal/services/auth/internal/postgres"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	redirectURI = "https://partner.example/callback"
	allScopes   = "profile email cv:read cv:contact"
	verifier    = "dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk"
	plainWord   = "correct horse battery"
	waitOut     = 700 * time.Millisecond
)

var started = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

// world runs the auth service behind its real gRPC server and holds clients with its callers' certificates.
type world struct {
	testing.TB
	clock    *clock.Fake
	redisURL string
	rdb      redis.UniversalClient
	// db is connected as the owner of the database.
	db       *pgxpool.Pool
	ownerURL string
	cfg      app.Config

	people      authv1.PeopleServiceClient
	sessions    authv1.SessionServiceClient
	signUps     authv1.SignUpServiceClient
	passwords   authv1.PasswordServiceClient
	passkeys    authv1.PasskeyServiceClient
	developers  authv1.DeveloperServiceClient
	oauth       authv1.OAuthServiceClient
	logos       authv1.AppLogoServiceClient
	connections authv1.ConnectionServiceClient
	// operator calls ConnectionService as vitaectl.
	operator    authv1.ConnectionServiceClient
	credentials authv1.CredentialServiceClient
	legacy      authv1.LegacyTokenServiceClient
	// usage calls UsageService as the gateway; ledger calls it as an operator.
	usage, ledger authv1.UsageServiceClient
	// audit calls AuditService as an operator.
	audit authv1.AuditServiceClient
	// own calls AuditService as the pages do.
	own authv1.AuditServiceClient
	// recording calls AuditService as the candidate service does.
	recording authv1.AuditServiceClient
	// gateway, vitaectl and candidate are connections that present these callers' certificates.
	gateway, vitaectl, candidate conn
}

// newWorld starts the auth service with a Redis database that only this test uses.
func newWorld(t testing.TB, opts ...app.Option) *world {
	t.Helper()
	return newWorldOn(t, testkit.Redis(t), opts...)
}

func newWorldOn(t testing.TB, redisURL string, opts ...app.Option) *world {
	t.Helper()
	return newWorldWith(t, testkit.OwnedDatabase(t, "auth", prepare), redisx.Config{URL: redisURL}, opts...)
}

// prepare migrates the database that all worlds copy. It also creates the request log partitions; otherwise, the
// retention job would create them in every copy.
func prepare(ctx context.Context, c pkgpostgres.Config) error {
	if err := postgres.Prepare(ctx, c); err != nil {
		return err
	}
	owner, err := pgx.Connect(ctx, c.MigrationURL)
	if err != nil {
		return err
	}
	defer owner.Close(ctx)
	_, err = owner.Exec(ctx, "SELECT make_request_log_partition($1::date + ahead) FROM generate_series(0, 3) ahead", started)
	return err
}

func newWorldAt(t testing.TB, databaseURL, redisURL string, opts ...app.Option) *world {
	t.Helper()
	return newWorldWith(t, pkgpostgres.Config{URL: databaseURL}, redisx.Config{URL: redisURL}, opts...)
}

func newWorldWith(t testing.TB, database pkgpostgres.Config, redis redisx.Config, opts ...app.Option) *world {
	t.Helper()
	w := &world{TB: t, clock: clock.NewFake(started), redisURL: redis.URL}
	cfg, err := config.Load[app.Config](config.Environment{
		// The copied database is already migrated. With the owner's URL, each start would check the role's
		// privileges again.
		"VITAE_POSTGRES_URL": database.URL, "VITAE_REDIS_URL": redis.URL, "VITAE_RECORD_KEYS": testkit.Keys("a"),
		"VITAE_MAIL_DIR": t.TempDir(), "VITAE_CONSOLE_URL": consoleURL,
		// On startup, the jobs open as many connections as they may, which would take longer than most tests.
		"VITAE_POSTGRES_MAX_CONNS": "4",
	})
	w.must(err)
	cfg.Redis = redis
	w.cfg = cfg
	w.rdb, err = redisx.Open(cfg.Redis)
	w.must(err)
	t.Cleanup(func() { _ = w.rdb.Close() })
	w.ownerURL = cmp.Or(database.MigrationURL, database.URL)
	w.db, err = pgxpool.New(context.Background(), w.ownerURL)
	w.must(err)
	t.Cleanup(w.db.Close)
	w.serve(append([]app.Option{app.WithClock(w.clock), app.WithPasswordCost(64, 1, 1), app.WithWaitOut(waitOut)}, opts...))
	return w
}

// replica starts another auth process with the same database and Redis.
func (w *world) replica(opts ...app.Option) *world {
	w.Helper()
	other := *w
	other.serve(append([]app.Option{app.WithClock(w.clock), app.WithPasswordCost(64, 1, 1), app.WithWaitOut(waitOut)}, opts...))
	return &other
}

func (w *world) serve(opts []app.Option) {
	w.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	identity := w.identity("auth")
	auth, err := app.New(w.Context(), w.cfg, log, opts...)
	w.must(err)
	server, err := grpcserver.New(identity, log, auth.Register, grpcserver.WithAudit(auth.Audit()), grpcserver.WithMembers(auth.Members()))
	w.must(err)
	l, err := net.Listen("tcp", "127.0.0.1:0")
	w.must(err)
	served := make(chan error, 1)
	go func() { served <- server.Serve(l) }()
	gateway, vitaectl, candidate := w.dial("gateway", l), w.dial("vitaectl", l), w.dial("candidate", l)
	w.Cleanup(func() {
		_, _, _ = gateway.Close(), vitaectl.Close(), candidate.Close()
		server.Stop(context.Background())
		if err := <-served; err != nil {
			w.Error(err)
		}
		if err := auth.Close(context.Background()); err != nil {
			w.Error(err)
		}
	})
	w.gateway, w.vitaectl, w.candidate = gateway, vitaectl, candidate
	w.people, w.developers = authv1.NewPeopleServiceClient(vitaectl), authv1.NewDeveloperServiceClient(vitaectl)
	w.operator = authv1.NewConnectionServiceClient(vitaectl)
	w.sessions, w.oauth = authv1.NewSessionServiceClient(gateway), authv1.NewOAuthServiceClient(gateway)
	w.signUps, w.passwords = authv1.NewSignUpServiceClient(gateway), authv1.NewPasswordServiceClient(gateway)
	w.passkeys, w.own = authv1.NewPasskeyServiceClient(gateway), authv1.NewAuditServiceClient(gateway)
	w.logos = authv1.NewAppLogoServiceClient(gateway)
	w.connections, w.credentials = authv1.NewConnectionServiceClient(gateway), authv1.NewCredentialServiceClient(gateway)
	w.legacy = authv1.NewLegacyTokenServiceClient(gateway)
	w.usage, w.ledger = authv1.NewUsageServiceClient(gateway), authv1.NewUsageServiceClient(vitaectl)
	w.audit, w.recording = authv1.NewAuditServiceClient(vitaectl), authv1.NewAuditServiceClient(candidate)
}

// identities returns the certificates that all worlds share, loaded into memory.
var identities = sync.OnceValues(func() (map[string]*mtls.Identity, error) {
	dir, err := os.MkdirTemp("", "vitae-identities-")
	if err != nil {
		return nil, err
	}
	defer os.RemoveAll(dir)
	names := []string{"auth", "gateway", "vitaectl", "candidate"}
	if err := mtls.Issue(dir, names...); err != nil {
		return nil, err
	}
	loaded := map[string]*mtls.Identity{}
	for _, name := range names {
		files := mtls.Files(dir, name)
		files.Refresh = day // longer than any test, because the files no longer exist
		if loaded[name], err = mtls.Load(files); err != nil {
			return nil, err
		}
	}
	return loaded, nil
})

func (w *world) identity(name string) *mtls.Identity {
	w.Helper()
	all, err := identities()
	w.must(err)
	return all[name]
}

func (w *world) dial(caller string, l net.Listener) conn {
	w.Helper()
	c, err := grpcx.Dial(l.Addr().String(), "auth", w.identity(caller))
	w.must(err)
	return conn{c}
}

// conn sets a deadline of one minute for calls without one. The default of a few seconds is too short on a busy
// machine.
type conn struct{ *grpc.ClientConn }

func (c conn) Invoke(ctx context.Context, method string, args, reply any, opts ...grpc.CallOption) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, time.Minute)
		defer cancel()
	}
	return c.ClientConn.Invoke(ctx, method, args, reply, opts...)
}

func (w *world) must(err error) {
	w.Helper()
	if err != nil {
		w.Fatal(err)
	}
}

// stores returns Stores that use the service's database.
func (w *world) stores() *postgres.Stores { return postgres.New(w.db) }

// storesAs returns Stores that connect as the role named in a URL.
func (w *world) storesAs(url string) *postgres.Stores {
	w.Helper()
	pool, err := pgxpool.New(context.Background(), url)
	w.must(err)
	w.Cleanup(pool.Close)
	return postgres.New(pool)
}

// person is a signed-in person.
type person struct{ id, email, session string }

func (w *world) person(email string) person {
	w.Helper()
	made, err := w.people.CreatePerson(w.Context(), &authv1.CreatePersonRequest{Email: email, Password: plainWord, EmailVerified: true})
	w.must(err)
	in, err := w.sessions.SignIn(w.Context(), &authv1.SignInRequest{Email: email, Password: plainWord, ClientIp: "203.0.113.7"})
	w.must(err)
	return person{id: made.GetPerson().GetId(), email: email, session: in.GetSessionToken()}
}

// client is an app with its secret, which is empty for a public client.
type client struct {
	app    *authv1.App
	secret string
}

func (c client) auth() *authv1.ClientAuthentication {
	a := &authv1.ClientAuthentication{ClientId: c.app.GetClientId()}
	if c.secret != "" {
		a.ClientSecret = &c.secret
	}
	return a
}

func (w *world) account() string {
	w.Helper()
	resp, err := w.developers.CreateAccount(w.Context(), &authv1.CreateAccountRequest{Name: "Partner", Email: "dev@partner.example"})
	w.must(err)
	return resp.GetAccount().GetId()
}

func (w *world) client(clientType authv1.ClientType) client {
	w.Helper()
	resp, err := w.developers.CreateApp(w.Context(), &authv1.CreateAppRequest{
		AccountId: w.account(), Name: "Partner site", ClientType: clientType,
		RedirectUris: []string{redirectURI, "http://127.0.0.1/cb"},
		Scopes:       []string{"profile", "email", "cv:read", "cv:contact"},
	})
	w.must(err)
	return client{app: resp.GetApp(), secret: resp.GetClientSecret()}
}

func (w *world) confidential() client {
	w.Helper()
	return w.client(authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL)
}

func parameters(c client, scope string) *authv1.AuthorizationParameters {
	return &authv1.AuthorizationParameters{
		ResponseType: "code", ClientId: c.app.GetClientId(), RedirectUri: redirectURI, Scope: scope,
		CodeChallenge: pkce.Challenge(verifier), CodeChallengeMethod: "S256", State: "xyz",
	}
}

// consent grants the scopes and returns the code.
func (w *world) consent(p person, c client, scopes ...string) string {
	w.Helper()
	resp, err := w.oauth.Authorize(w.Context(), &authv1.AuthorizeRequest{
		Parameters: parameters(c, allScopes), SessionToken: p.session, GrantedScopes: scopes, CvId: "master", SharePhoto: true,
	})
	w.must(err)
	if resp.GetFault() != nil {
		w.Fatalf("fault: %v", resp.GetFault())
	}
	return resp.GetCode()
}

var everything = []string{"profile", "email", "cv:read", "cv:contact"}

func exchangeRequest(c client, code string) *authv1.ExchangeCodeRequest {
	return &authv1.ExchangeCodeRequest{Client: c.auth(), Code: code, RedirectUri: redirectURI, CodeVerifier: verifier}
}

func (w *world) exchange(c client, code string) *authv1.TokenPair {
	w.Helper()
	resp, err := w.oauth.ExchangeCode(w.Context(), exchangeRequest(c, code))
	w.must(err)
	return resp.GetTokens()
}

// connect connects a person to an app and returns the tokens.
func (w *world) connect(p person, c client, scopes ...string) *authv1.TokenPair {
	w.Helper()
	return w.exchange(c, w.consent(p, c, scopes...))
}

func (w *world) refreshError(c client, token string) error {
	_, err := w.oauth.RefreshToken(w.Context(), &authv1.RefreshTokenRequest{Client: c.auth(), RefreshToken: token})
	return err
}

func (w *world) refresh(c client, token string) *authv1.TokenPair {
	w.Helper()
	resp, err := w.oauth.RefreshToken(w.Context(), &authv1.RefreshTokenRequest{Client: c.auth(), RefreshToken: token})
	w.must(err)
	return resp.GetTokens()
}

func (w *world) revoke(c client, token string) {
	w.Helper()
	_, err := w.oauth.RevokeToken(w.Context(), &authv1.RevokeTokenRequest{Client: c.auth(), Token: token})
	w.must(err)
}

func (w *world) introspect(c client, token string) *authv1.IntrospectTokenResponse {
	w.Helper()
	resp, err := w.oauth.IntrospectToken(w.Context(), &authv1.IntrospectTokenRequest{Client: c.auth(), Token: token})
	w.must(err)
	return resp
}

func (w *world) connectionOf(p person) *authv1.Connection {
	w.Helper()
	resp, err := w.connections.ListConnections(w.Context(), &authv1.ListConnectionsRequest{Actor: bySession(p)})
	w.must(err)
	if n := len(resp.GetConnections()); n != 1 {
		w.Fatalf("%d connections, want 1", n)
	}
	return resp.GetConnections()[0]
}

func bySession(p person) *authv1.Actor {
	return &authv1.Actor{By: &authv1.Actor_SessionToken{SessionToken: p.session}}
}

const (
	accessToken = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN
	apiKey      = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY
	cvLink      = identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
	legacyToken = identityv1.CredentialKind_CREDENTIAL_KIND_LEGACY_TOKEN
)

func (w *world) resolve(kind identityv1.CredentialKind, secret string) (*authv1.SessionRecord, error) {
	hash := credential.Hash(secret)
	resp, err := w.credentials.ResolveCredential(w.Context(), &authv1.ResolveCredentialRequest{Kind: kind, Hash: hash[:]})
	return resp.GetRecord(), err
}

// record returns the record that a gateway replica would use for a credential: the record in Redis or, if there is
// none, the one in the auth service's response. It returns nil if the credential is rejected.
func (w *world) record(kind identityv1.CredentialKind, accountID, secret string) *authv1.SessionRecord {
	ref := sessionrecord.Ref{AccountID: accountID, Hash: credential.Hash(secret)}
	if stored, err := sessionrecord.Read(w.Context(), w.rdb, ref); err == nil && stored != nil {
		seal, err := sessionrecord.NewSeal(testkit.Ring("record", "a"))
		w.must(err)
		held, err := seal.Open(ref, stored, w.clock.Now())
		if err == nil && held.GetPrincipal().GetKind() == kind {
			return held
		}
		if err != nil && !errors.Is(err, sessionrecord.ErrStale) { // a record that is stale because the test's clock has advanced is not an error
			w.Fatal(err)
		}
	}
	asked, err := w.resolve(kind, secret)
	if err != nil {
		return nil
	}
	return asked
}

// live fails the test unless a gateway replica accepts the access token twice. The first request creates a session
// record, which the second one uses.
func (w *world) live(c client, token string) *authv1.SessionRecord {
	w.Helper()
	var r *authv1.SessionRecord
	for range 2 {
		if r = w.record(accessToken, c.app.GetAccountId(), token); r == nil {
			w.Fatal("the token is rejected")
		}
	}
	return r
}

// dead fails the test if a gateway replica accepts the credential.
func (w *world) dead(kind identityv1.CredentialKind, accountID, secret string) {
	w.Helper()
	if r := w.record(kind, accountID, secret); r != nil {
		w.Fatalf("still accepted: %v", r)
	}
}

const public, confidential = authv1.ClientType_CLIENT_TYPE_PUBLIC, authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL
