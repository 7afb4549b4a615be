package state_test

import (
	"context"
	"io"
	"log/slog"
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	goredis "github.com/redis/go-redis/v9"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/credentials/revocation"
	"vitae.internal/services/auth/internal/credentials/state"
	"vitae.internal/services/auth/internal/grpcapi/oauth"
	"vitae.internal/services/auth/internal/platform/account"
	"vitae.internal/services/auth/internal/platform/app"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/redis"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const (
	accountID = "dev_1"
	appID     = "app_1"
	linkID    = "lnk_1"
)

var (
	now   = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)
	token = credential.Hash("the token")
	quiet = slog.New(slog.NewTextHandler(io.Discard, nil))
)

// scene holds a live access token with its consent and link, on real Postgres and Redis servers.
type scene struct {
	*testing.T
	stores    *postgres.Stores
	pool      *pgxpool.Pool
	rdb       goredis.UniversalClient
	publisher *revocation.Publisher
	service   *state.Service
	fills     int
}

func newScene(t *testing.T) *scene {
	t.Helper()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "auth", postgres.Migrate), MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	link := state.LinkHash(linkID)
	for _, insert := range []struct {
		sql  string
		args []any
	}{
		{`INSERT INTO people VALUES ('usr_1', 'a@example.com', 'a@example.com', true, '', $1)`, []any{now}},
		{`INSERT INTO accounts VALUES ($1, 'n', 'e', 'standard', NULL, NULL, NULL, $2)`, []any{accountID, now}},
		{`INSERT INTO apps VALUES ($1, $2, 'n', '', 'ci', 'public', '{}', '{profile,cv:read}', false, $3)`, []any{appID, accountID, now}},
		{`INSERT INTO connections (id, person_id, app_id, granted_scopes, cv_sharing, cv_id, share_photo, created_at)
			VALUES ('con_1', 'usr_1', $1, '{profile,cv:read}', true, 'master', false, $2)`, []any{appID, now}},
		{`INSERT INTO cv_links VALUES ($1, $2, 'con_1', $3, NULL)`, []any{linkID, link[:], now}},
		{`INSERT INTO token_families VALUES ('fam_1', $1, 'con_1', '{profile,cv:read}', 'r', $2, $3, NULL)`, []any{appID, now, now.Add(time.Hour)}},
		{`INSERT INTO access_tokens VALUES ($1, 'fam_1', $2, 'con_1', '{profile,cv:read}', $3, $4, NULL)`, []any{token[:], appID, now, now.Add(time.Hour)}},
	} {
		if _, err := pool.Exec(t.Context(), insert.sql, insert.args...); err != nil {
			t.Fatal(err)
		}
	}
	s := &scene{T: t, stores: postgres.New(pool), pool: pool}
	// The Redis server is private, because FLUSHALL would empty the databases of other tests.
	if s.rdb, err = redisx.Open(redisx.Config{URL: testkit.PrivateRedis(t).URL()}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = s.rdb.Close() })
	s.publisher, err = revocation.NewPublisher(revocation.Config{
		Records: s.records(), Outbox: s.stores.Outbox, WaitOut: time.Hour, Clock: clock.NewFake(now), Log: quiet,
	})
	if err != nil {
		t.Fatal(err)
	}
	s.resolveBeside(func() {})
	return s
}

// seal returns the seal with which the auth service authenticates records.
func (s *scene) seal() *sessionrecord.Seal {
	s.Helper()
	seal, err := sessionrecord.NewSeal(testkit.Ring("record", "a"))
	if err != nil {
		s.Fatal(err)
	}
	return seal
}

// records returns the session records in the scene's Redis, encoded as in production.
func (s *scene) records() *redis.Records {
	s.Helper()
	records, err := redis.NewRecords(redis.RecordsConfig{Client: s.rdb, Seal: s.seal(), Encode: oauth.SessionRecordToProto, Clock: clock.System{}, Log: quiet})
	if err != nil {
		s.Fatal(err)
	}
	return records
}

// resolveBeside replaces the scene's service with one that runs f just before it creates a link.
func (s *scene) resolveBeside(f func()) {
	s.Helper()
	plans := account.Plans{Standard: account.Plan{Name: account.Standard, PerMinute: 300, PerDay: 20_000}}
	service, err := state.NewService(state.Config{
		Store: beside{s.stores.States, f}, Records: s.records(), Plans: plans, Clock: clock.NewFake(now), Log: quiet,
	})
	if err != nil {
		s.Fatal(err)
	}
	s.service = service
}

func (s *scene) exec(sql string, args ...any) {
	s.Helper()
	if _, err := s.pool.Exec(context.Background(), sql, args...); err != nil {
		s.Fatal(err)
	}
}

func (s *scene) liveLinks() (n int) {
	s.Helper()
	if err := s.pool.QueryRow(s.Context(), "SELECT count(*) FROM cv_links WHERE ended_at IS NULL").Scan(&n); err != nil {
		s.Fatal(err)
	}
	return n
}

// duringFill makes the service run f after reading the state and before writing the record, in the first fill or in
// every fill.
func (s *scene) duringFill(every bool, f func()) {
	s.service.AfterRead(func() {
		s.fills++
		if s.fills == 1 || every {
			f()
		}
	})
}

func (s *scene) publish(entry revocation.Entry, err error) {
	s.Helper()
	if err == nil {
		err = s.publisher.Publish(context.Background(), entry)
	}
	if err != nil {
		s.Fatal(err)
	}
}

func (s *scene) resolve(kind state.Kind, hash credential.Digest) (state.Record, error) {
	return s.service.Resolve(s.Context(), kind, hash)
}

// noRecord fails the test if a gateway replica would find a record.
func (s *scene) noRecord(hash credential.Digest) {
	s.Helper()
	held, err := sessionrecord.Read(s.Context(), s.rdb, sessionrecord.Ref{AccountID: accountID, Hash: hash})
	if err != nil {
		s.Fatal(err)
	}
	if held != nil {
		s.Fatalf("Redis holds %v", held)
	}
}

func TestRevokeDuringFillWins(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.duringFill(false, func() { s.publish(s.stores.Grants.RevokeAccess(context.Background(), appID, token, now)) })
	if r, err := s.resolve(state.AccessToken, token); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
		t.Fatalf("resolved %v, %v", r, err)
	}
	s.noRecord(token)
}

func TestDisconnectDuringLinkFillWins(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	link := state.LinkHash(linkID)
	s.duringFill(false, func() { s.publish(s.stores.Connections.EndConnection(context.Background(), "usr_1", "con_1", now)) })
	if r, err := s.resolve(state.CVLink, link); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
		t.Fatalf("resolved %v, %v", r, err)
	}
	s.noRecord(link)
}

// legacy turns the scene's token into a legacy token.
func (s *scene) legacy() {
	s.Helper()
	s.exec("UPDATE connections SET legacy = true, granted_scopes = '{profile:read}', cv_id = ''")
	s.exec("UPDATE access_tokens SET legacy = true, scopes = '{profile:read}'")
}

func TestLegacyRevokeDuringFillWins(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*scene) (revocation.Entry, error){
		"revoke": func(s *scene) (revocation.Entry, error) {
			return s.stores.Grants.RevokeLegacy(context.Background(), token, now)
		},
		"disconnect": func(s *scene) (revocation.Entry, error) {
			return s.stores.Connections.EndConnection(context.Background(), "usr_1", "con_1", now)
		},
		"replay": func(s *scene) (revocation.Entry, error) {
			return s.stores.Grants.EndFamily(context.Background(), "fam_1", now)
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.legacy()
			s.duringFill(false, func() { s.publish(end(s)) })
			if r, err := s.resolve(state.LegacyToken, token); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
				t.Fatalf("resolved %v, %v", r, err)
			}
			s.noRecord(token)
		})
	}
}

func TestLegacyRevokeFirstCreatesNoLink(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.legacy()
	s.exec("UPDATE cv_links SET ended_at = $1", now)
	s.resolveBeside(func() { s.publish(s.stores.Grants.RevokeLegacy(context.Background(), token, now)) })
	if r, err := s.resolve(state.LegacyToken, token); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
		t.Fatalf("resolved %v, %v", r, err)
	}
	s.noRecord(token)
	if links := s.liveLinks(); links != 0 {
		t.Errorf("%d links are live", links)
	}
}

func TestKeyDeletionDuringFillWins(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	key := credential.Hash("the key")
	if err := s.stores.Apps.CreateAPIKey(t.Context(), app.APIKey{ID: "key_1", AppID: appID, CreatedAt: now}, key, nil); err != nil {
		t.Fatal(err)
	}
	s.duringFill(false, func() { s.publish(s.stores.Apps.DeleteAPIKey(context.Background(), "key_1", now)) })
	if r, err := s.resolve(state.APIKey, key); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
		t.Fatalf("resolved %v, %v", r, err)
	}
	s.noRecord(key)
}

func TestSuspensionDuringFillWins(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.duringFill(false, func() {
		_, entry, err := s.stores.Accounts.SuspendAccount(context.Background(), accountID, "", now, nil)
		s.publish(entry, err)
	})
	r, err := s.resolve(state.AccessToken, token)
	if err != nil || !r.AccountSuspended {
		t.Fatalf("resolved %v, %v", r, err)
	}
	ref := sessionrecord.Ref{AccountID: accountID, Hash: token}
	stored, err := sessionrecord.Read(t.Context(), s.rdb, ref)
	if err != nil || stored == nil {
		t.Fatalf("Redis holds %v, %v", stored, err)
	}
	held, err := s.seal().Open(ref, stored, now)
	if err != nil || !held.GetAccountSuspended() {
		t.Errorf("Redis holds %v, %v", held, err)
	}
}

func TestFlushAllEndsTheLease(t *testing.T) {
	t.Parallel()
	for name, flush := range map[string]func(*scene){
		"after the revoke was published": func(s *scene) {
			s.publish(s.stores.Grants.RevokeAccess(context.Background(), appID, token, now))
			s.rdb.FlushAll(context.Background())
		},
		"in place of publishing": func(s *scene) {
			if _, err := s.stores.Grants.RevokeAccess(context.Background(), appID, token, now); err != nil {
				t.Fatal(err)
			}
			s.rdb.FlushAll(context.Background())
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newScene(t)
			s.duringFill(false, func() { flush(s) })
			if r, err := s.resolve(state.AccessToken, token); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
				t.Fatalf("resolved %v, %v", r, err)
			}
			s.noRecord(token)
		})
	}
}

func TestFlushAllDuringFillCausesReread(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.duringFill(false, func() { s.rdb.FlushAll(context.Background()) })
	if r, err := s.resolve(state.AccessToken, token); err != nil || r.Connection.LinkID != linkID {
		t.Fatalf("resolved %v, %v", r, err)
	}
	if s.fills != 2 {
		t.Errorf("%d fills, want 2", s.fills)
	}
}

func TestUnstableFillRespondsFromPostgres(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.duringFill(true, func() { s.rdb.FlushAll(context.Background()) })
	if r, err := s.resolve(state.AccessToken, token); err != nil || r.Connection.LinkID != linkID {
		t.Fatalf("resolved %v, %v", r, err)
	}
	s.noRecord(token)
	s.publish(s.stores.Grants.RevokeAccess(t.Context(), appID, token, now))
	if r, err := s.resolve(state.AccessToken, token); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
		t.Fatalf("resolved %v, %v", r, err)
	}
}

// Calls run after a token has been read and before its link is created.
type beside struct {
	state.Store
	run func()
}

func (b beside) MakeLink(ctx context.Context, connectionID string, token credential.Digest, linkID string, at time.Time) (string, error) {
	b.run()
	return b.Store.MakeLink(ctx, connectionID, token, linkID, at)
}

func TestRevokeBeforeLinkCreatesNoLink(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.exec("UPDATE cv_links SET ended_at = $1", now)
	s.resolveBeside(func() { s.publish(s.stores.Grants.EndFamily(context.Background(), "fam_1", now)) })
	if r, err := s.resolve(state.AccessToken, token); !errs.HasCode(err, "CREDENTIAL_UNKNOWN") {
		t.Fatalf("resolved %v, %v", r, err)
	}
	s.noRecord(token)
	if links := s.liveLinks(); links != 0 {
		t.Errorf("%d links are live", links)
	}
}

func TestCVWithdrawnBeforeLinkRereadsToken(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.exec("UPDATE cv_links SET ended_at = $1", now)
	s.resolveBeside(func() { s.exec("UPDATE connections SET cv_sharing = false") })
	r, err := s.resolve(state.AccessToken, token)
	if err != nil || r.Scopes.Has("cv:read") || r.Connection.LinkID != "" || s.liveLinks() != 0 {
		t.Fatalf("resolved %v, %v", r, err)
	}
}

func TestLiveTokenWithoutLinkGetsOne(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	s.exec("UPDATE cv_links SET ended_at = $1", now)
	r, err := s.resolve(state.AccessToken, token)
	if err != nil || r.Connection.LinkID == "" || r.Connection.LinkID == linkID || s.liveLinks() != 1 {
		t.Fatalf("resolved %v, %v", r, err)
	}
}
