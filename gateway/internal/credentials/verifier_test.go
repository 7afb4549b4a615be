package credentials_test

import (
	"context"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"

	"vitae.internal/gateway/internal/credentials"
)

func TestMain(m *testing.M) { testkit.Main(m) }

const accessToken = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN

var hash = sessionrecord.Hash{7}

// fakeAuth answers from a variable and, like auth, leaves a record in Redis.
type fakeAuth struct {
	record atomic.Pointer[authv1.SessionRecord] // nil for a dead credential
	fault  atomic.Pointer[errs.Error]
	calls  atomic.Int32
	rdb    redis.UniversalClient
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
	ref := sessionrecord.Ref{AccountID: record.GetPrincipal().GetAccountId(), Hash: sessionrecord.Hash(req.GetHash())}
	if lease, err := sessionrecord.BeginFill(ctx, f.rdb, ref); err == nil {
		_, _ = sessionrecord.CompleteFill(ctx, f.rdb, ref, lease, record, f.now.Now())
	}
	return &authv1.ResolveCredentialResponse{Record: record}, nil
}

type scene struct {
	*fakeAuth
	verifier *credentials.Verifier
	now      *clock.Fake
}

func newScene(t *testing.T, redisURL string) *scene {
	t.Helper()
	rdb, err := redisx.Open(redisx.Config{URL: redisURL})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	now := clock.NewFake(time.Now())
	auth := &fakeAuth{rdb: rdb, now: now}
	v, err := credentials.New(credentials.Config{Auth: auth, Redis: rdb, Clock: now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return &scene{fakeAuth: auth, verifier: v, now: now}
}

func (s *scene) live(expiresIn time.Duration) {
	s.record.Store(&authv1.SessionRecord{
		Principal: &identityv1.Principal{Kind: accessToken, AccountId: "dev_1", PersonId: "usr_1"},
		ExpiresAt: timestamppb.New(s.now.Now().Add(expiresIn)),
	})
}

func (s *scene) verify(t *testing.T) error {
	t.Helper()
	record, err := s.verifier.Verify(t.Context(), accessToken, hash)
	if err == nil && record.GetPrincipal().GetPersonId() != "usr_1" {
		t.Fatalf("record of %q", record.GetPrincipal().GetPersonId())
	}
	return err
}

func (s *scene) wantCalls(t *testing.T, want int32) {
	t.Helper()
	if got := s.calls.Load(); got != want {
		t.Fatalf("auth was asked %d times, want %d", got, want)
	}
}

func wantDead(t *testing.T, err error) {
	t.Helper()
	if !errs.HasCode(err, credentials.CodeUnknown) {
		t.Fatalf("err = %v, want %s", err, credentials.CodeUnknown)
	}
}

func TestAWarmCredentialCostsNoCallToAuth(t *testing.T) {
	s := newScene(t, testkit.Redis(t))
	s.live(time.Hour)
	for range 10 {
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
	}
	s.wantCalls(t, 1)
}

func TestARevokedCredentialIsRefusedAtTheNextRequest(t *testing.T) {
	s := newScene(t, testkit.Redis(t))
	s.live(time.Hour)
	if err := s.verify(t); err != nil {
		t.Fatal(err)
	}
	s.record.Store(nil) // the commit
	if err := sessionrecord.Forget(t.Context(), s.rdb, "dev_1", hash); err != nil {
		t.Fatal(err)
	}
	for range 10 {
		wantDead(t, s.verify(t))
	}
}

func TestFlushAllMeansAskAuth(t *testing.T) {
	r := testkit.PrivateRedis(t)
	s := newScene(t, r.URL())
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
}

func TestARecordPastItsExpiryGrantsNothing(t *testing.T) {
	s := newScene(t, testkit.Redis(t))
	s.live(time.Minute) // the record in Redis lives for ten seconds of real time
	if err := s.verify(t); err != nil {
		t.Fatal(err)
	}
	s.now.Advance(time.Minute)
	wantDead(t, s.verify(t)) // auth still says it lives; its clock is behind
	s.wantCalls(t, 2)
}

func TestARecordOfAnotherKindGrantsNothing(t *testing.T) {
	s := newScene(t, testkit.Redis(t))
	s.live(time.Hour)
	_, err := s.verifier.Verify(t.Context(), identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY, hash)
	wantDead(t, err)
}

func TestWithRedisDownAuthAnswersAndAfterwardsRedisDoesAgain(t *testing.T) {
	r := testkit.PrivateRedis(t)
	s := newScene(t, r.URL())
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
	live := s.record.Swap(nil)
	wantDead(t, s.verify(t))
	s.record.Store(live)

	if err := r.Restart(t.Context()); err != nil {
		t.Fatal(err)
	}
	s.now.Advance(2 * time.Second)      // the breaker's rest
	if err := s.verify(t); err != nil { // leaves a record again
		t.Fatal(err)
	}
	before := s.calls.Load()
	for range 5 {
		if err := s.verify(t); err != nil {
			t.Fatal(err)
		}
	}
	s.wantCalls(t, before)
}

func TestAFrozenRedisIsWaitedForOnce(t *testing.T) {
	r := testkit.PrivateRedis(t)
	s := newScene(t, r.URL())
	s.live(time.Hour)
	if err := s.verify(t); err != nil {
		t.Fatal(err)
	}
	if err := r.Freeze(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Thaw() })
	// A client that counts what goes to Redis: all after the first fault go to auth.
	counting := &countingScripter{Scripter: s.rdb}
	v, err := credentials.New(credentials.Config{Auth: directAuth{s.fakeAuth}, Redis: counting, Clock: s.now, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	for range 20 {
		if _, err := v.Verify(t.Context(), accessToken, hash); err != nil {
			t.Fatal(err)
		}
	}
	if got := counting.calls.Load(); got != 1 {
		t.Errorf("%d requests waited for the frozen Redis, want 1", got)
	}
}

func TestWithAuthDownTheCredentialIsNotCalledDead(t *testing.T) {
	s := newScene(t, testkit.Redis(t))
	s.fault.Store(errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "down"))
	if err := s.verify(t); errs.KindOf(err) != errs.Unavailable {
		t.Errorf("err = %v", err)
	}
}

// directAuth answers without leaving a record, so that it never waits for Redis.
type directAuth struct{ *fakeAuth }

func (d directAuth) ResolveCredential(context.Context, *authv1.ResolveCredentialRequest, ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	return &authv1.ResolveCredentialResponse{Record: d.record.Load()}, nil
}

type countingScripter struct {
	redis.Scripter
	calls atomic.Int32
}

func (c *countingScripter) EvalSha(ctx context.Context, sha string, keys []string, args ...any) *redis.Cmd {
	c.calls.Add(1)
	return c.Scripter.EvalSha(ctx, sha, keys, args...)
}
