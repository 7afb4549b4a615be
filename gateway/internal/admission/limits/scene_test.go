package limits_test

import (
	"context"
	"flag"
	"log/slog"
	"sync/atomic"
	"testing"
	"time"

	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/outage"
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestMain(m *testing.M) {
	if err := flag.Set("rapid.nofailfile", "true"); err != nil { // fail files would be written to the repository
		panic(err)
	}
	testkit.Main(m)
}

// fakeUsage is a fake of the auth service's UsageService.
type fakeUsage struct {
	authv1.UsageServiceClient
	// of returns the usage of a day. If of is nil, the usage is zero.
	of    func(day string) int32
	fault atomic.Pointer[error]
	calls atomic.Int32
}

func (f *fakeUsage) GetSpent(_ context.Context, req *authv1.GetSpentRequest, _ ...grpc.CallOption) (*authv1.GetSpentResponse, error) {
	f.calls.Add(1)
	if fault := f.fault.Load(); fault != nil {
		return nil, *fault
	}
	if f.of == nil {
		return &authv1.GetSpentResponse{}, nil
	}
	return &authv1.GetSpentResponse{Requests: f.of(req.GetDay())}, nil
}

// scene is an account with a credential that has a record in Redis.
type scene struct {
	testing.TB
	rdb     redis.UniversalClient
	usage   *fakeUsage
	limiter *limits.Limiter
	ref     sessionrecord.Ref
	plan    *authv1.Plan
	tier    limits.Tier
}

func newScene(t testing.TB, cfg redisx.Config) *scene {
	t.Helper()
	rdb, err := redisx.Open(cfg)
	if err != nil {
		t.Fatal(err)
	}
	return sceneOn(t, rdb)
}

func sceneOn(t testing.TB, rdb redis.UniversalClient) *scene {
	t.Helper()
	t.Cleanup(func() { _ = rdb.Close() })
	s := &scene{TB: t, rdb: rdb, usage: &fakeUsage{}, ref: ref("dev_1"), plan: wide()}
	s.limiter = s.another(clock.System{}, slog.New(slog.DiscardHandler))
	return s
}

// patient returns a client with long timeouts. On a busy machine, a slow reply would otherwise look like an
// outage, during which every replica counts on its own.
func patient(t testing.TB, url string) redis.UniversalClient {
	t.Helper()
	o, err := redis.ParseURL(url)
	if err != nil {
		t.Fatal(err)
	}
	o.MaxRetries, o.DialerRetries, o.PoolSize = -1, 1, redisx.PoolSize
	o.DialTimeout, o.ReadTimeout, o.WriteTimeout, o.PoolTimeout = time.Minute, time.Minute, time.Minute, time.Minute
	return redis.NewClient(o)
}

// another returns the limiter of an additional replica on the same Redis.
func (s *scene) another(c clock.Clock, log *slog.Logger) *limits.Limiter {
	s.Helper()
	return newLimiter(s, s.rdb, s.usage, c, log)
}

func newLimiter(t interface{ Fatal(...any) }, rdb redisx.Processor, usage authv1.UsageServiceClient, c clock.Clock, log *slog.Logger) *limits.Limiter {
	l, err := limits.New(limits.Config{Redis: rdb, Records: opener(t), Guard: guard(t, c, log), Usage: usage, Clock: c})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func ref(accountID string) sessionrecord.Ref {
	return sessionrecord.Ref{AccountID: accountID, Hash: credential.Digest{7}}
}

func wide() *authv1.Plan { return &authv1.Plan{PerMinute: 1_000_000_000, PerDay: 2_000_000_000} }

func (s *scene) record() *authv1.SessionRecord {
	return &authv1.SessionRecord{
		Principal: &identityv1.Principal{
			Kind:      identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN,
			AccountId: s.ref.AccountID, AppId: "app_1", ConnectionId: "con_1",
		},
		Plan: s.plan,
	}
}

// fill writes a record as the auth service does.
func (s *scene) fill(record *authv1.SessionRecord) {
	s.Helper()
	lease, err := sessionrecord.BeginFill(s.Context(), s.rdb, s.ref)
	if err != nil {
		s.Fatal(err)
	}
	if ok, err := sessionrecord.CompleteFill(s.Context(), s.rdb, seal(s), s.ref, lease, record, time.Now()); !ok || err != nil {
		s.Fatal(ok, err)
	}
}

// replicas returns the Redis replicas from which the auth service deletes records.
func (s *scene) replicas() *redisx.Replicas {
	s.Helper()
	replicas, err := redisx.NewReplicas(redisx.ReplicasConfig{Client: s.rdb, Clock: clock.System{}})
	if err != nil {
		s.Fatal(err)
	}
	return replicas
}

func (s *scene) ask() limits.Ask {
	return limits.Ask{Ref: s.ref, Tier: s.tier, Subject: "con_1"}
}

func (s *scene) admit(l *limits.Limiter, a limits.Ask) limits.Decision {
	s.Helper()
	d, err := l.Admit(s.Context(), a)
	if err != nil {
		s.Fatal(err)
	}
	return d
}

// seal returns the seal that the auth service and the gateway share.
func seal(t interface{ Fatal(...any) }) *sessionrecord.Seal {
	s, err := sessionrecord.NewSeal(testkit.Ring("record", "a"))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// opener returns an Opener that reads the system clock, as the scene's auth service does.
func opener(t interface{ Fatal(...any) }) *records.Opener {
	o, err := records.New(records.Config{Seal: seal(t), Clock: clock.System{}, Log: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func guard(t interface{ Fatal(...any) }, c clock.Clock, log *slog.Logger) *outage.Guard {
	g, err := outage.New(c, log)
	if err != nil {
		t.Fatal(err)
	}
	return g
}
