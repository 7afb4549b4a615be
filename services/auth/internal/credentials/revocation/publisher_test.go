package revocation_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit/metrics"
	"vitae.internal/services/auth/internal/credentials/revocation"
)

var quiet = slog.New(slog.NewTextHandler(io.Discard, nil))

// faulty is a fake Redis whose first upAfter calls fail.
type faulty struct {
	mu      sync.Mutex
	upAfter int
	calls   int
	done    []revocation.Entry
}

func (f *faulty) take(e revocation.Entry) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.calls++
	if f.calls <= f.upAfter {
		return errors.New("down")
	}
	f.done = append(f.done, e)
	return nil
}

func (f *faulty) Forget(_ context.Context, accountID string, hashes []credential.Digest) error {
	return f.take(revocation.Entry{AccountID: accountID, Hashes: hashes})
}

func (f *faulty) ForgetAccount(_ context.Context, accountID string) error {
	return f.take(revocation.Entry{AccountID: accountID, WholeAccount: true})
}

// outbox holds the pending entries.
type outbox struct{ entries []revocation.Entry }

func (o *outbox) DeleteRevocation(_ context.Context, id int64) error {
	for i, e := range o.entries {
		if e.ID == id {
			o.entries = append(o.entries[:i:i], o.entries[i+1:]...)
			break
		}
	}
	return nil
}

func (o *outbox) ConnectionHashes(context.Context, revocation.Entry) ([]credential.Digest, error) {
	return []credential.Digest{{1}}, nil
}

func (o *outbox) PendingRevocations(_ context.Context, before time.Time, atMost int) (left []revocation.Entry, err error) {
	for _, e := range o.entries {
		if e.At.Before(before) && len(left) < atMost {
			left = append(left, e)
		}
	}
	return left, nil
}

var start = time.Date(2026, 3, 1, 9, 0, 0, 0, time.UTC)

func entry() revocation.Entry {
	return revocation.Entry{ID: 7, AccountID: "dev_1", Hashes: []credential.Digest{{1}}, At: start}
}

func publisher(t *testing.T, records revocation.Records, box revocation.Outbox, waitOut time.Duration, c clock.Clock) *revocation.Publisher {
	t.Helper()
	p, err := revocation.NewPublisher(revocation.Config{Records: records, Outbox: box, WaitOut: waitOut, Clock: c, Log: quiet})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// publish publishes the entry that all of these tests use.
func publish(ctx context.Context, t *testing.T, p *revocation.Publisher) error {
	t.Helper()
	return publishEntry(ctx, t, p, entry())
}

func publishEntry(ctx context.Context, t *testing.T, p *revocation.Publisher, e revocation.Entry) error {
	t.Helper()
	return bounded(t, func() error { return p.Publish(ctx, e) })
}

// bounded runs f, and fails the test if f takes too long to return.
func bounded(t *testing.T, f func() error) error {
	t.Helper()
	answer := make(chan error, 1)
	go func() { answer <- f() }()
	select {
	case err := <-answer:
		return err
	case <-time.After(20 * time.Second):
		t.Fatal("the call does not return")
		return nil
	}
}

// round returns a function that runs a single round of the publisher's job.
func round(t *testing.T, p *revocation.Publisher) func(context.Context) error {
	t.Helper()
	return func(ctx context.Context) error {
		t.Helper()
		return bounded(t, func() error { return p.Job().Round(ctx) })
	}
}

func TestPublishRetriesUntilRedisResponds(t *testing.T) {
	records, box := &faulty{upAfter: 2}, &outbox{entries: []revocation.Entry{entry()}}
	if err := publish(t.Context(), t, publisher(t, records, box, time.Hour, clock.System{})); err != nil {
		t.Fatal(err)
	}
	if len(records.done) != 1 || len(box.entries) != 0 {
		t.Errorf("deleted %v, left %v", records.done, box.entries)
	}
}

func TestPublishWaitsUntilRecordsExpire(t *testing.T) {
	const waitOut = 450 * time.Millisecond
	records, box := &faulty{upAfter: 1 << 30}, &outbox{entries: []revocation.Entry{entry()}}
	begun := time.Now()
	if err := publish(t.Context(), t, publisher(t, records, box, waitOut, clock.System{})); err != nil {
		t.Fatal(err)
	}
	if took := time.Since(begun); took < waitOut {
		t.Errorf("returned after %v", took)
	}
	if len(box.entries) != 0 {
		t.Error("the entry is still pending although every record has expired")
	}
}

func TestCanceledPublishFails(t *testing.T) {
	records, box := &faulty{upAfter: 1 << 30}, &outbox{entries: []revocation.Entry{entry()}}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	err := publish(ctx, t, publisher(t, records, box, time.Hour, clock.System{}))
	if e, ok := errs.As(err); !ok || e.Kind != errs.Unavailable || e.RetryAfter != 2*time.Second || !errors.Is(err, context.Canceled) {
		t.Errorf("returned %v", err)
	}
	if len(box.entries) != 1 {
		t.Error("the entry is lost")
	}
}

// This test is not parallel, because the metrics are global.
func TestPublicationMetrics(t *testing.T) {
	count := func(result string) float64 {
		n, there := metrics.Value(t, "vitae_revocation_duration_seconds", "result", result)
		if !there {
			t.Errorf("%s has no series before the first publication", result)
		}
		return n
	}
	before := map[string]float64{"deleted": count("deleted"), "expired": count("expired"), "given_up": count("given_up")}
	TestPublishRetriesUntilRedisResponds(t)
	TestPublishWaitsUntilRecordsExpire(t)
	TestCanceledPublishFails(t)
	for result, was := range before {
		if got := count(result); got <= was {
			t.Errorf("%s: %v, before %v", result, got, was)
		}
	}
}

func TestJobSkipsYoungEntries(t *testing.T) {
	t.Parallel()
	records, box, c := &faulty{}, &outbox{entries: []revocation.Entry{entry()}}, clock.NewFake(start)
	round := round(t, publisher(t, records, box, time.Hour, c))
	if err := round(t.Context()); err != nil || len(records.done) != 0 {
		t.Fatalf("deleted %v, %v", records.done, err)
	}
	c.Advance(3 * time.Second)
	if err := round(t.Context()); err != nil || len(records.done) != 1 || len(box.entries) != 0 {
		t.Fatalf("deleted %v, left %v, %v", records.done, box.entries, err)
	}
}

func TestJobKeepsEntriesWhileRedisIsDown(t *testing.T) {
	t.Parallel()
	records, box, c := &faulty{upAfter: 1 << 30}, &outbox{entries: []revocation.Entry{entry()}}, clock.NewFake(start)
	round := round(t, publisher(t, records, box, time.Hour, c))
	c.Advance(time.Minute)
	if err := round(t.Context()); err != nil || len(box.entries) != 1 {
		t.Fatalf("left %v, %v", box.entries, err)
	}
	c.Advance(time.Hour)
	if err := round(t.Context()); err != nil || len(box.entries) != 0 {
		t.Fatalf("left %v, %v", box.entries, err)
	}
}

func TestJobCallsAFailingRedisOncePerRun(t *testing.T) {
	t.Parallel()
	records, box, c := &faulty{upAfter: 1 << 30}, &outbox{}, clock.NewFake(start)
	for i := range int64(40) {
		o := entry()
		o.ID = i + 1
		box.entries = append(box.entries, o)
	}
	round := round(t, publisher(t, records, box, time.Hour, c))
	c.Advance(time.Minute)
	if err := round(t.Context()); err != nil || records.calls != 1 || len(box.entries) != 40 {
		t.Fatalf("%d calls, %d entries left, %v", records.calls, len(box.entries), err)
	}
}

// stuck is an outbox whose rows are locked.
type stuck struct{ outbox }

func (*stuck) DeleteRevocation(ctx context.Context, _ int64) error {
	<-ctx.Done()
	return ctx.Err()
}

// mute is an outbox that cannot read the hashes of a connection.
type mute struct{ outbox }

func (m *mute) ConnectionHashes(context.Context, revocation.Entry) ([]credential.Digest, error) {
	return nil, errors.New("postgres is down")
}

// If the hashes cannot be read, the run fails, the entry stays in the outbox even if it is obsolete, and Redis is
// not called.
func TestJobReportsUnreadableHashes(t *testing.T) {
	t.Parallel()
	box := &mute{outbox{entries: []revocation.Entry{{ID: 7, AccountID: "dev_1", ConnectionID: "con_1", At: start}}}}
	records := &faulty{}
	if err := round(t, publisher(t, records, box, time.Hour, clock.NewFake(start.Add(time.Hour))))(t.Context()); err == nil {
		t.Error("the round succeeded")
	}
	if records.calls != 0 || len(box.entries) != 1 {
		t.Errorf("Redis was called %d times, left %v", records.calls, box.entries)
	}
}

func TestPublishDoesNotWaitForLockedRows(t *testing.T) {
	t.Parallel()
	if err := publish(t.Context(), t, publisher(t, &faulty{}, &stuck{}, time.Hour, clock.System{})); err != nil {
		t.Fatal(err)
	}
}
