package credentials_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const accessToken = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN

var hash = credential.Digest{7}

// fakeAuth is a fake auth service. It responds with a stored record, which it also writes to Redis,
// as the real service does.
type fakeAuth struct {
	authv1.CredentialServiceClient
	authv1.UsageServiceClient
	record atomic.Pointer[authv1.SessionRecord] // nil if the credential is dead
	fault  atomic.Pointer[errs.Error]
	calls  atomic.Int32
	rdb    redis.UniversalClient
	seal   *sessionrecord.Seal
	now    clock.Clock
}

func (f *fakeAuth) ResolveCredential(ctx context.Context, req *authv1.ResolveCredentialRequest, _ ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	f.calls.Add(1)
	if fault := f.fault.Load(); fault != nil {
		return nil, fault
	}
	record := f.record.Load()
	if record == nil {
		return nil, errs.New(errs.Unauthenticated, credentials.CodeUnknown, "dead")
	}
	ref := sessionrecord.Ref{AccountID: record.GetPrincipal().GetAccountId(), Hash: credential.Digest(req.GetHash())}
	if lease, err := sessionrecord.BeginFill(ctx, f.rdb, ref); err == nil {
		_, _ = sessionrecord.CompleteFill(ctx, f.rdb, f.seal, ref, lease, record, f.now.Now())
	}
	return &authv1.ResolveCredentialResponse{Record: record}, nil
}

func (f *fakeAuth) GetSpent(context.Context, *authv1.GetSpentRequest, ...grpc.CallOption) (*authv1.GetSpentResponse, error) {
	return &authv1.GetSpentResponse{}, nil
}

type scene struct {
	*fakeAuth
	verifier *credentials.Verifier
	now      *clock.Fake
	spends   bool
}

// eachMethod runs a test with Admit and with Verify.
func eachMethod(t *testing.T, test func(t *testing.T, spends bool)) {
	t.Run("Admit", func(t *testing.T) { test(t, true) })
	t.Run("Verify", func(t *testing.T) { test(t, false) })
}

func newScene(t *testing.T, redisURL string, spends bool) *scene {
	t.Helper()
	rdb, err := redisx.Open(redisx.Config{URL: redisURL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	now := clock.NewFake(time.Now())
	auth := &fakeAuth{rdb: rdb, seal: seal(t, "a"), now: now}
	return &scene{fakeAuth: auth, verifier: newVerifier(t, auth, auth, rdb, rdb, now), now: now, spends: spends}
}

func (s *scene) live(expiresIn time.Duration) {
	s.record.Store(&authv1.SessionRecord{
		Principal: &identityv1.Principal{Kind: accessToken, AccountId: "dev_1", PersonId: "usr_1"},
		Plan:      &authv1.Plan{PerMinute: 1000, PerDay: 1000},
		ExpiresAt: timestamppb.New(s.now.Now().Add(expiresIn)),
	})
}

func (s *scene) verify(t *testing.T) error {
	t.Helper()
	record, err := ask(t, s.verifier, accessToken, s.spends)
	if err == nil && record.GetPrincipal().GetPersonId() != "usr_1" {
		t.Fatalf("record of %q", record.GetPrincipal().GetPersonId())
	}
	return err
}

func ask(t *testing.T, v *credentials.Verifier, kind identityv1.CredentialKind, spends bool) (*authv1.SessionRecord, error) {
	t.Helper()
	if !spends {
		return v.Verify(t.Context(), kind, hash, nil)
	}
	d, err := v.Admit(t.Context(), kind, hash, nil)
	if err == nil && d.Outcome != limits.Admitted {
		t.Fatalf("%s, want admitted", d.Outcome)
	}
	return d.Record, err
}

func (s *scene) wantCalls(t *testing.T, want int32) {
	t.Helper()
	if got := s.calls.Load(); got != want {
		t.Fatalf("auth was called %d times, want %d", got, want)
	}
}

func wantDead(t *testing.T, err error) {
	t.Helper()
	if !errs.HasCode(err, credentials.CodeUnknown) {
		t.Fatalf("err = %v, want %s", err, credentials.CodeUnknown)
	}
}

func TestCachedCredentialIsVerifiedWithoutCall(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		s.live(time.Hour)
		for range 10 {
			if err := s.verify(t); err != nil {
				t.Fatal(err)
			}
		}
		s.wantCalls(t, 1)
	})
}

func TestRevokedCredentialIsRejected(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		s.live(time.Hour)
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
		s.record.Store(nil) // the commit
		replicas, err := redisx.NewReplicas(redisx.ReplicasConfig{Client: s.rdb, Clock: s.now})
		if err != nil {
			t.Fatal(err)
		}
		if err := sessionrecord.Forget(t.Context(), replicas, "dev_1", hash); err != nil {
			t.Fatal(err)
		}
		for range 10 {
			wantDead(t, s.verify(t))
		}
	})
}

func TestAuthIsCalledAfterFlushAll(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		r := testkit.PrivateRedis(t)
		s := newScene(t, r.URL(), spends)
		s.live(time.Hour)
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
		if err := s.rdb.FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
		s.wantCalls(t, 2)
		s.record.Store(nil)
		if err := s.rdb.FlushAll(t.Context()).Err(); err != nil {
			t.Fatal(err)
		}
		wantDead(t, s.verify(t))
	})
}

func TestExpiredRecordIsRejected(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		s.live(time.Minute) // the record stays in Redis for ten seconds of real time
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
		s.now.Advance(time.Minute)
		wantDead(t, s.verify(t)) // the auth service still considers it live, because its clock is behind
		s.wantCalls(t, 2)
	})
}

func TestRecordOfWrongKindIsRejected(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		s.live(time.Hour)
		_, err := ask(t, s.verifier, identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, spends)
		wantDead(t, err)
	})
}

func TestRedisOutageFallsBackToAuth(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		r := testkit.PrivateRedis(t)
		s := newScene(t, r.URL(), spends)
		s.live(time.Hour)
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
		if err := r.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		for range 5 {
			if err := s.verify(t); err != nil {
				t.Fatal(err)
			}
		}
		s.wantCalls(t, 6)

		if err := r.Restart(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.now.Advance(2 * time.Second)      // longer than the pause of outage.Guard
		if err := s.verify(t); err != nil { // writes a record again
			t.Fatal(err)
		}
		before := s.calls.Load()
		for range 5 {
			if err := s.verify(t); err != nil {
				t.Fatal(err)
			}
		}
		s.wantCalls(t, before)

		if err := r.Stop(t.Context()); err != nil {
			t.Fatal(err)
		}
		s.record.Store(nil)
		wantDead(t, s.verify(t))
	})
}

func TestFrozenRedisTimesOutOnce(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		r := testkit.PrivateRedis(t)
		s := newScene(t, r.URL(), spends)
		s.live(time.Hour)
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
		if err := r.Freeze(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = r.Thaw() })
		// This client counts the calls to Redis. There must be none after the first failure.
		counting := &countingRedis{UniversalClient: s.rdb}
		v := newVerifier(t, directAuth{s.fakeAuth}, s.fakeAuth, counting, counting, s.now)
		for range 20 {
			if _, err := ask(t, v, accessToken, spends); err != nil {
				t.Fatal(err)
			}
		}
		if got := counting.calls.Load(); got != 1 {
			t.Errorf("%d requests waited for the frozen Redis, want 1", got)
		}
	})
}

func TestAuthOutageIsUnavailable(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		s := newScene(t, testkit.Redis(t), spends)
		s.fault.Store(errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down"))
		if err := s.verify(t); errs.KindOf(err) != errs.Unavailable {
			t.Errorf("err = %v", err)
		}
	})
}

// directAuth is a fake auth service that writes no record, so it never waits for Redis.
type directAuth struct{ *fakeAuth }

func (d directAuth) ResolveCredential(context.Context, *authv1.ResolveCredentialRequest, ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	return &authv1.ResolveCredentialResponse{Record: d.record.Load()}, nil
}

type countingRedis struct {
	redis.UniversalClient
	calls atomic.Int32
}

func (c *countingRedis) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	c.calls.Add(1)
	return c.UniversalClient.EvalSha(ctx, sha, keys, args...)
}

func (c *countingRedis) Process(ctx context.Context, cmd redis.Cmder) error {
	c.calls.Add(1)
	return c.UniversalClient.Process(ctx, cmd)
}

// lateRedis runs commands against Redis. If lose is set, it discards the replies, as if they had arrived too
// late.
type lateRedis struct {
	redis.UniversalClient
	lose bool
}

func (l *lateRedis) Process(ctx context.Context, cmd redis.Cmder) error {
	err := l.UniversalClient.Process(ctx, cmd)
	if l.lose {
		l.lose, err = false, context.DeadlineExceeded
		cmd.SetErr(err)
	}
	return err
}

// slowAuth is a fake auth service that advances the clock by a minute during each call.
type slowAuth struct {
	directAuth
	now *clock.Fake
}

func (a slowAuth) ResolveCredential(ctx context.Context, req *authv1.ResolveCredentialRequest, o ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	a.now.Advance(time.Minute)
	return a.directAuth.ResolveCredential(ctx, req, o...)
}

// Redis has charged the request, but its reply was lost. Redis is available again once the auth service has
// resolved the credential.
func TestRecoveredRedisChargesOnce(t *testing.T) {
	s := newScene(t, testkit.Redis(t), true)
	s.live(time.Hour)
	late := &lateRedis{UniversalClient: s.rdb}
	v := newVerifier(t, s.fakeAuth, s.fakeAuth, late, late, s.now)
	slow := newVerifier(t, slowAuth{directAuth{s.fakeAuth}, s.now}, s.fakeAuth, late, late, s.now)
	for _, one := range []*credentials.Verifier{v, slow} { // both have the route, and Redis has the record
		if _, err := ask(t, one, accessToken, true); err != nil {
			t.Fatal(err)
		}
	}
	late.lose = true
	if _, err := ask(t, slow, accessToken, true); err != nil {
		t.Fatal(err)
	}
	d, err := v.Admit(t.Context(), accessToken, hash, nil)
	if err != nil || d.Budget.DayUsed != 4 {
		t.Errorf("%+v, %v; want 4 used after four requests", d.Budget, err)
	}
}
