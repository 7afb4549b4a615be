package credentials_test

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"log/slog"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/admission/limits"
	"vitae.internal/gateway/internal/admission/records"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/redisx"
	"vitae.internal/pkg/sessionrecord"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

const apiKey = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY

// The API keys of a victim and of an attacker, who have different accounts.
var (
	victim   = sessionrecord.Ref{AccountID: "dev_victim", Hash: sha256.Sum256([]byte("the victim's key"))}
	intruder = sessionrecord.Ref{AccountID: "dev_intruder", Hash: sha256.Sum256([]byte("the intruder's key"))}
)

// manyAccounts is a fake auth service for several accounts.
type manyAccounts struct {
	fakeAuth
	records map[credential.Digest]*authv1.SessionRecord
}

func (m *manyAccounts) ResolveCredential(ctx context.Context, req *authv1.ResolveCredentialRequest, o ...grpc.CallOption) (*authv1.ResolveCredentialResponse, error) {
	m.record.Store(m.records[credential.Digest(req.GetHash())])
	return m.fakeAuth.ResolveCredential(ctx, req, o...)
}

type lines struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *lines) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *lines) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// breakIn is a gateway with a Redis that an attacker can write to.
type breakIn struct {
	*testing.T
	auth     *manyAccounts
	rdb      redis.UniversalClient
	verifier *credentials.Verifier
	log      *lines
	spends   bool
}

func newBreakIn(t *testing.T, spends bool) *breakIn {
	t.Helper()
	rdb, err := redisx.Open(redisx.Config{URL: testkit.Redis(t)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = rdb.Close() })
	now := clock.System{}
	b := &breakIn{T: t, rdb: rdb, log: &lines{}, spends: spends, auth: &manyAccounts{
		fakeAuth: fakeAuth{rdb: rdb, seal: seal(t, "a"), now: now}, records: map[credential.Digest]*authv1.SessionRecord{},
	}}
	for _, ref := range []sessionrecord.Ref{victim, intruder} {
		b.auth.records[ref.Hash] = &authv1.SessionRecord{
			Principal: &identityv1.Principal{Kind: apiKey, AccountId: ref.AccountID, AppId: "app of " + ref.AccountID},
			Plan:      &authv1.Plan{PerMinute: 1_000_000, PerDay: 1000},
		}
	}
	b.verifier = newGateway(t, b.auth, b.auth, rdb, rdb, records.Config{Seal: seal(t, "a"), Clock: now, Log: slog.New(slog.NewJSONHandler(b.log, nil))})
	b.own(victim)
	b.own(intruder)
	return b
}

func (b *breakIn) ask(ref sessionrecord.Ref) (limits.Decision, error) {
	b.Helper()
	if b.spends {
		return b.verifier.Admit(b.Context(), apiKey, ref.Hash, nil)
	}
	record, err := b.verifier.Verify(b.Context(), apiKey, ref.Hash, nil)
	return limits.Decision{Outcome: limits.Admitted, Record: record}, err
}

// own sends a request with a key and checks that the request acts for the key's own account.
func (b *breakIn) own(ref sessionrecord.Ref) limits.Decision {
	b.Helper()
	d, err := b.ask(ref)
	if err != nil || d.Outcome != limits.Admitted || d.Record.GetPrincipal().GetAccountId() != ref.AccountID {
		b.Fatalf("the key of %s: %s, %v, %v", ref.AccountID, d.Outcome, d.Record, err)
	}
	return d
}

func recordKey(r sessionrecord.Ref) string {
	return "{" + r.AccountID + "}:cred:" + hex.EncodeToString(r.Hash[:])
}

// copyRecord replaces the record of one key with the record of another, but keeps the generation of
// the first.
func (b *breakIn) copyRecord(from, to sessionrecord.Ref) {
	b.Helper()
	generation := b.rdb.Get(b.Context(), "{"+to.AccountID+"}:gen").Val()
	if err := errors.Join(
		b.rdb.RestoreReplace(b.Context(), recordKey(to), 0, b.rdb.Dump(b.Context(), recordKey(from)).Val()).Err(),
		b.rdb.HSet(b.Context(), recordKey(to), "generation", generation).Err(),
	); err != nil {
		b.Fatal(err)
	}
}

func counted(t *testing.T, name, label string) (total float64) {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == name && (label == "" || m.GetLabel()[0].GetValue() == label) {
				total += m.GetCounter().GetValue()
			}
		}
	}
	return total
}

const forgedTotal, unsealedTotal = "vitae_session_record_forged_total", "vitae_session_record_unsealed_total"

func TestCopiedRecordIsRejectedWithAlarm(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		b := newBreakIn(t, spends)
		before, calls := counted(t, forgedTotal, "signature"), b.auth.calls.Load()
		b.copyRecord(victim, intruder)
		d := b.own(intruder)
		if spends && (d.Budget.DayUsed != 2 || d.Budget.PerDay != 1000) {
			t.Errorf("%+v: want 2 used after two requests", d.Budget)
		}
		if got := counted(t, forgedTotal, "signature") - before; got != 1 {
			t.Errorf("%v forged records counted, want 1", got)
		}
		log := b.log.String()
		for _, want := range []string{`"level":"ERROR"`, `"msg":"a session record in redis is forged"`, `"account":"dev_intruder"`, `"failed":"signature"`} {
			if !strings.Contains(log, want) {
				t.Errorf("the alarm lacks %s: %s", want, log)
			}
		}
		if strings.Contains(log, "victim") {
			t.Errorf("the alarm reveals content of the record: %s", log)
		}
		b.own(intruder) // the auth service has overwritten the forged record
		b.own(victim)
		if got := b.auth.calls.Load() - calls; got != 1 {
			t.Errorf("auth was called %d times, want once", got)
		}
	})
}

// The script makes its decision before the record is verified.
func TestForgedPlanAdmitsNothing(t *testing.T) {
	for name, c := range map[string]struct {
		truth  func(*authv1.SessionRecord)
		forge  map[string]string
		admits bool
		says   string
	}{
		"a larger day":         {func(r *authv1.SessionRecord) { r.Plan.PerDay = 1 }, map[string]string{"per_day": "1000000"}, false, limits.CodeQuota},
		"a larger minute":      {func(r *authv1.SessionRecord) { r.Plan.PerMinute, r.Plan.PerDay = 1, 1000 }, map[string]string{"per_minute": "1000000"}, false, limits.CodeRate},
		"no figures":           {func(*authv1.SessionRecord) {}, map[string]string{"per_day": "0", "per_minute": ""}, true, ""},
		"text as figures":      {func(*authv1.SessionRecord) {}, map[string]string{"per_day": "many", "expires": "never"}, true, ""},
		"a suspension":         {func(*authv1.SessionRecord) {}, map[string]string{"suspended": "1"}, true, ""},
		"no suspension":        {func(r *authv1.SessionRecord) { r.AccountSuspended = true }, map[string]string{"suspended": "0"}, false, ""},
		"garbage for a record": {func(*authv1.SessionRecord) {}, map[string]string{"record": strings.Repeat("\xff", 100)}, true, ""},
	} {
		t.Run(name, func(t *testing.T) {
			b := newBreakIn(t, true)
			c.truth(b.auth.records[intruder.Hash])
			b.fill(intruder)
			for field, value := range c.forge {
				if err := b.rdb.HSet(t.Context(), recordKey(intruder), field, value).Err(); err != nil {
					t.Fatal(err)
				}
			}
			d, err := b.ask(intruder)
			if err != nil || (d.Outcome == limits.Admitted) != c.admits || (c.says != "") != errs.HasCode(d.Refusal, c.says) {
				t.Fatalf("%+v, %v", d, err)
			}
			if name == "no suspension" && !d.Record.GetAccountSuspended() {
				t.Errorf("%+v: want suspended", d)
			}
			if d, err = b.ask(intruder); err != nil || (d.Outcome == limits.Admitted) != c.admits {
				t.Errorf("after auth has written the record: %+v, %v", d, err)
			}
			if c.admits && d.Budget.DayUsed != 3 {
				t.Errorf("%d used after three requests", d.Budget.DayUsed)
			}
			if d := b.own(victim); d.Budget.DayUsed != 2 {
				t.Errorf("%d used by the other account after two requests", d.Budget.DayUsed)
			}
		})
	}
}

// fill makes the auth service write the record of a key.
func (b *breakIn) fill(ref sessionrecord.Ref) {
	b.Helper()
	if _, err := b.auth.ResolveCredential(b.Context(), &authv1.ResolveCredentialRequest{Kind: apiKey, Hash: ref.Hash[:]}); err != nil {
		b.Fatal(err)
	}
}

func TestUnsealedRecordRaisesNoAlarm(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		b := newBreakIn(t, spends)
		before, calls := counted(t, unsealedTotal, ""), b.auth.calls.Load()
		raw := b.rdb.HGet(t.Context(), recordKey(victim), "record").Val()
		if err := b.rdb.HSet(t.Context(), recordKey(victim), "record", raw[:len(raw)-42]).Err(); err != nil {
			t.Fatal(err)
		}
		if d := b.own(victim); spends && d.Budget.DayUsed != 2 {
			t.Errorf("%d used after two requests", d.Budget.DayUsed)
		}
		b.own(victim)
		if got := b.auth.calls.Load() - calls; got != 1 {
			t.Errorf("auth was called %d times, want once", got)
		}
		if counted(t, unsealedTotal, "") != before+1 || b.log.String() != "" {
			t.Errorf("%v counted, log %s", counted(t, unsealedTotal, "")-before, b.log)
		}
	})
}

// The attacker saves the record of a key and restores it after the key has been deleted.
func TestReplayedRecordDoesNotReviveKey(t *testing.T) {
	eachMethod(t, func(t *testing.T, spends bool) {
		b := newBreakIn(t, spends)
		now := clock.NewFake(time.Now())
		b.verifier = newGateway(t, b.auth, b.auth, b.rdb, b.rdb, records.Config{Seal: seal(t, "a"), Clock: now, Log: slog.New(slog.NewJSONHandler(b.log, nil))})
		b.own(intruder)
		kept := b.rdb.Dump(t.Context(), recordKey(intruder)).Val()
		delete(b.auth.records, intruder.Hash)
		now.Advance(sessionrecord.WaitOut + time.Second)
		if err := b.rdb.RestoreReplace(t.Context(), recordKey(intruder), 0, kept).Err(); err != nil {
			t.Fatal(err)
		}
		before := counted(t, forgedTotal, "age")
		_, err := b.ask(intruder)
		wantDead(t, err)
		if counted(t, forgedTotal, "age") != before+1 || !strings.Contains(b.log.String(), `"failed":"age"`) {
			t.Errorf("no alarm: %s", b.log)
		}
	})
}

// Many forged records increase the counter but do not fill the log.
func TestAlarmsAreLoggedOncePerSecond(t *testing.T) {
	b := newBreakIn(t, false)
	now := clock.NewFake(time.Now())
	b.verifier = newGateway(t, b.auth, b.auth, b.rdb, b.rdb, records.Config{Seal: seal(t, "a"), Clock: now, Log: slog.New(slog.NewJSONHandler(b.log, nil))})
	b.own(intruder)
	before := counted(t, forgedTotal, "")
	for range 2 {
		for range 5 {
			b.copyRecord(victim, intruder)
			b.own(intruder)
		}
		now.Advance(time.Second)
		b.fill(victim)
	}
	if lines := strings.Count(b.log.String(), "\n"); lines != 2 || counted(t, forgedTotal, "") != before+10 {
		t.Errorf("%d log lines for %v alarms", lines, counted(t, forgedTotal, "")-before)
	}
}

// Two replicas of the auth service and two of the gateway rotate the keys in the documented order.
func TestRecordKeyRotationRaisesNoAlarm(t *testing.T) {
	b := newBreakIn(t, true)
	seals := []*sessionrecord.Seal{seal(t, "old"), seal(t, "old")}
	var gateways [2]*credentials.Verifier
	start := func(i int, ids ...string) {
		gateways[i] = newGateway(t, b.auth, b.auth, b.rdb, b.rdb, records.Config{Seal: seal(t, ids...), Clock: clock.System{}, Log: slog.New(slog.NewJSONHandler(b.log, nil))})
	}
	start(0, "old")
	start(1, "old")
	before := counted(t, forgedTotal, "")
	check := func(step string) {
		t.Helper()
		for auth := range seals {
			b.auth.seal = seals[auth]
			b.fill(victim)
			for i, g := range gateways {
				for range 2 { // a new replica learns the route from the first request
					if d, err := g.Admit(t.Context(), apiKey, victim.Hash, nil); err != nil || d.Outcome != limits.Admitted {
						t.Errorf("%s: gateway %d, record of auth %d: %v, %v", step, i, auth, d.Outcome, err)
					}
				}
			}
		}
	}
	check("before")
	for _, ids := range [][]string{{"old", "new"}, {"new", "old"}, {"new"}} {
		for i := range 2 {
			seals[i] = seal(t, ids...)
			check(fmt.Sprint("auth ", i, " with ", ids))
		}
		for i := range 2 {
			start(i, ids...)
			check(fmt.Sprint("gateway ", i, " with ", ids))
		}
	}
	if counted(t, forgedTotal, "") != before || b.log.String() != "" {
		t.Errorf("alarms: %s", b.log)
	}
}
