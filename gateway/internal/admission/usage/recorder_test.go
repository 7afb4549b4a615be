package usage

import (
	"bytes"
	"context"
	"fmt"
	"log/slog"
	"maps"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"
	"google.golang.org/grpc"
	"google.golang.org/protobuf/proto"

	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit/metrics"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// fakeAuth is a fake auth service that counts each batch only once, as the real service does.
type fakeAuth struct {
	authv1.UsageServiceClient
	// answer decides whether the nth call accepts the batch, and returns the call's error. If answer is
	// nil, every call accepts its batch.
	answer func(call int, b *authv1.RecordRequestsRequest) (taken bool, err error)

	mu      sync.Mutex
	changed chan struct{} // closed on every change
	calls   int
	batches map[string]*authv1.RecordRequestsRequest
	broken  []string // ids of batches that were resent with other contents
}

func newFakeAuth() *fakeAuth {
	return &fakeAuth{batches: map[string]*authv1.RecordRequestsRequest{}, changed: make(chan struct{})}
}

func (f *fakeAuth) RecordRequests(ctx context.Context, b *authv1.RecordRequestsRequest, _ ...grpc.CallOption) (*authv1.RecordRequestsResponse, error) {
	f.mu.Lock()
	f.calls++
	call := f.calls
	f.mu.Unlock()
	taken, err := true, error(nil)
	if f.answer != nil {
		taken, err = f.answer(call, b)
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if before := f.batches[b.GetBatchId()]; before != nil && !proto.Equal(before, b) {
		f.broken = append(f.broken, b.GetBatchId())
	}
	if taken {
		f.batches[b.GetBatchId()] = proto.CloneOf(b)
	}
	close(f.changed)
	f.changed = make(chan struct{})
	return &authv1.RecordRequestsResponse{}, err
}

// sums counts what the auth service has received.
type sums struct{ entries, requests, metered, failed int64 }

func (f *fakeAuth) sums() (s sums, changed <-chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.batches {
		s.entries += int64(len(b.GetEntries()))
		for _, c := range b.GetCounts() {
			s.requests += c.GetUsage().GetRequests()
			s.metered += c.GetUsage().GetMetered()
			s.failed += c.GetUsage().GetFailed()
		}
	}
	return s, f.changed
}

// await waits until the auth service has received exactly want.
func (f *fakeAuth) await(t *testing.T, want sums) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	for {
		got, changed := f.sums()
		if got == want {
			return
		}
		select {
		case <-changed:
		case <-ctx.Done():
			t.Fatalf("auth received %+v, want %+v", got, want)
		}
	}
}

// running starts a recorder. stop stops it after it has sent the remaining requests.
func running(t *testing.T, auth *fakeAuth, every time.Duration) (r *Recorder, log *bytes.Buffer, stop func()) {
	t.Helper()
	log = &bytes.Buffer{}
	r, err := New(Config{Auth: auth, Log: slog.New(slog.NewTextHandler(log, nil)), Buffer: 5000, Every: every})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	var run sync.WaitGroup
	run.Go(func() { r.Run(ctx) })
	stop = func() { cancel(); run.Wait() }
	t.Cleanup(stop)
	return r, log, stop
}

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// request returns a metered, successful request. Every third request is neither.
func request(i int) chain.Record {
	e := chain.Record{
		At: noon, RequestID: fmt.Sprint("req_", i), Caller: chain.Caller{AccountID: "dev_1", AppID: "app_1", APIKeyID: "key_1"},
		Method: "GET", Route: "/v1/companies", Status: 200, Latency: time.Millisecond, Bytes: 10, ChargedAt: noon,
	}
	if i%3 == 0 {
		e.Status, e.ChargedAt = 429, time.Time{}
	}
	return e
}

var errDown = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "Down.")

func TestLostRepliesReportRequestsOnce(t *testing.T) {
	auth := newFakeAuth()
	auth.answer = func(call int, _ *authv1.RecordRequestsRequest) (bool, error) {
		switch call % 3 {
		case 0:
			return false, errDown
		case 1:
			return true, errs.New(errs.Unavailable, "DEADLINE", "The answer was lost.")
		}
		return true, nil
	}
	r, _, _ := running(t, auth, time.Millisecond)
	var recording sync.WaitGroup
	for g := range 4 {
		recording.Go(func() {
			for i := range 900 {
				r.Record(request(g*900 + i))
			}
		})
	}
	recording.Wait()
	auth.await(t, sums{entries: 3600, requests: 3600, metered: 2400, failed: 1200})
	if len(auth.broken) > 0 {
		t.Errorf("batches were resent with different contents: %v", auth.broken)
	}
}

func TestAuthOutageDropsEntriesNotCounts(t *testing.T) {
	auth, frozen := newFakeAuth(), make(chan struct{})
	auth.answer = func(int, *authv1.RecordRequestsRequest) (bool, error) { <-frozen; return true, nil }
	r, _, stop := running(t, auth, time.Millisecond)
	const n = 60_000
	for i := range n {
		r.Record(request(i)) // never blocks, although all batches are rejected until the end
	}
	if entries, _ := r.buffer.left(); entries != 5000 {
		t.Errorf("%d entries waiting, want 5000", entries)
	}
	close(frozen)
	stop()
	got, _ := auth.sums()
	if got.requests != n || got.metered != n/3*2 || got.failed != n/3 {
		t.Errorf("auth received %+v of %d requests", got, n)
	}
	if got.entries < 5000 || got.entries > 6000 { // the waiting entries and one batch that was sent
		t.Errorf("auth received %d entries", got.entries)
	}
}

func TestFullBatchIsSentImmediately(t *testing.T) {
	auth := newFakeAuth()
	r, _, _ := running(t, auth, time.Hour)
	for i := range 1000 {
		r.Record(request(i))
	}
	auth.await(t, sums{entries: 1000, requests: 1000, metered: 666, failed: 334})
}

func TestStopReportsRemainingRequests(t *testing.T) {
	auth := newFakeAuth()
	auth.answer = func(call int, _ *authv1.RecordRequestsRequest) (bool, error) { // the auth service is available after three calls
		if call < 3 {
			return false, errDown
		}
		return true, nil
	}
	r, log, stop := running(t, auth, time.Hour)
	for i := range 3 {
		r.Record(request(i))
	}
	stop()
	if got, _ := auth.sums(); got != (sums{entries: 3, requests: 3, metered: 2, failed: 1}) {
		t.Errorf("auth received %+v", got)
	}
	if strings.Contains(log.String(), "lost") {
		t.Error(log)
	}
}

func TestStopWithoutAuthLogsLoss(t *testing.T) {
	t.Parallel()
	auth := newFakeAuth()
	auth.answer = func(int, *authv1.RecordRequestsRequest) (bool, error) { return false, errDown }
	r, log, stop := running(t, auth, time.Hour)
	r.Record(request(1))
	stop()
	if s := log.String(); !strings.Contains(s, "entries=1 counts=1") || strings.Count(s, "usage waits for auth") != 1 {
		t.Error(s)
	}
}

func TestRejectedBatchIsDropped(t *testing.T) {
	auth, refused := newFakeAuth(), make(chan struct{})
	auth.answer = func(call int, _ *authv1.RecordRequestsRequest) (bool, error) {
		if call == 1 {
			close(refused)
			return false, errs.New(errs.Invalid, "INVALID_ARGUMENT", "Unheard of.")
		}
		return true, nil
	}
	r, _, stop := running(t, auth, time.Hour)
	for i := range 1000 {
		r.Record(request(i))
	}
	<-refused
	r.Record(request(1000))
	stop()
	if got, _ := auth.sums(); got != (sums{entries: 1, requests: 1, metered: 1}) {
		t.Errorf("auth received %+v", got)
	}
}

func TestUnchargedRequestCountsForArrivalDay(t *testing.T) {
	auth := newFakeAuth()
	r, _, stop := running(t, auth, time.Hour)
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	for _, at := range []time.Time{midnight.Add(-1), midnight, midnight.In(time.FixedZone("", -5*3600))} {
		e := request(0)
		e.At = at
		r.Record(e)
	}
	stop()
	got := map[string]int64{}
	for _, b := range auth.batches {
		for _, c := range b.GetCounts() {
			got[c.GetUsage().GetDay()] += c.GetUsage().GetRequests()
		}
	}
	if len(got) != 2 || got["2026-03-01"] != 1 || got["2026-03-02"] != 2 {
		t.Errorf("counted %v", got)
	}
}

func TestCountsSpanSeveralBatches(t *testing.T) {
	auth := newFakeAuth()
	auth.answer = func(_ int, b *authv1.RecordRequestsRequest) (bool, error) {
		if len(b.GetCounts()) > batchCounts {
			t.Errorf("a batch has %d counts", len(b.GetCounts()))
		}
		return true, nil
	}
	r, _, stop := running(t, auth, time.Hour)
	for i := range batchCounts + 10 {
		e := request(1)
		e.APIKeyID = fmt.Sprint("key_", i)
		r.Record(e)
	}
	stop()
	if got, _ := auth.sums(); got.requests != batchCounts+10 {
		t.Errorf("auth received %+v", got)
	}
}

func TestUsageRowsAreLimited(t *testing.T) {
	b := newBuffer(batchEntries)
	for i := range maxCounts {
		e := request(1)
		e.APIKeyID = fmt.Sprint("key_", i)
		b.add(e)
	}
	e := request(1)
	e.APIKeyID = "key_other"
	if _, entryLost, countLost := b.add(e); !entryLost || !countLost {
		t.Error("a row above the limit was accepted")
	}
	e.APIKeyID = "key_0"
	if _, _, countLost := b.add(e); countLost || b.counts[row{dayOf(noon), "dev_1", "app_1", "key_0"}].requests != 2 {
		t.Error("an existing row is no longer counted")
	}
}

func BenchmarkRecord(b *testing.B) {
	r, err := New(Config{Auth: newFakeAuth(), Log: slog.New(slog.DiscardHandler), Buffer: 50_000, Every: time.Second})
	if err != nil {
		b.Fatal(err)
	}
	ctx, stop := context.WithCancel(b.Context())
	var run sync.WaitGroup
	run.Go(func() { r.Run(ctx) })
	e := request(1)
	b.ReportAllocs()
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			r.Record(e)
		}
	})
	stop()
	run.Wait()
}

// A request may arrive on one day and be charged to the next. It must be reported for the day that was
// charged, because a lost counter restarts from the reported counts.
func TestChargedRequestCountsForChargedDay(t *testing.T) {
	auth := newFakeAuth()
	r, _, stop := running(t, auth, time.Hour)
	midnight := time.Date(2026, 3, 2, 0, 0, 0, 0, time.UTC)
	before, after := midnight.Add(-time.Millisecond), midnight.Add(time.Millisecond)
	for i, e := range []struct{ at, spent time.Time }{{before, after}, {after, before}, {after, before}, {before, time.Time{}}} {
		one := request(i)
		one.At, one.ChargedAt = e.at, e.spent
		r.Record(one)
	}
	stop()
	got := map[string][2]int64{}
	for _, b := range auth.batches {
		for _, c := range b.GetCounts() {
			u := c.GetUsage()
			got[u.GetDay()] = [2]int64{u.GetRequests(), u.GetMetered()}
		}
		for i, e := range b.GetEntries() {
			if e.GetMetered() != (i < 3) {
				t.Errorf("entry %d: %v", i, e)
			}
		}
	}
	if want := map[string][2]int64{"2026-03-01": {3, 2}, "2026-03-02": {1, 1}}; !maps.Equal(got, want) {
		t.Errorf("counted %v, want %v", got, want)
	}
}

func TestWaitingMetricsWhileAuthIsDown(t *testing.T) {
	auth := newFakeAuth()
	var down atomic.Bool
	down.Store(true)
	auth.answer = func(int, *authv1.RecordRequestsRequest) (bool, error) {
		if down.Load() {
			return false, errDown
		}
		return true, nil
	}
	r, _, stop := running(t, auth, 10*time.Millisecond)
	for i := range 70 {
		r.Record(request(i))
	}
	wait := func(want float64) {
		t.Helper()
		limit, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		for limit.Err() == nil {
			if got, _ := metrics.Value(t, "vitae_usage_waiting", "what", "entry"); got == want {
				return
			}
		}
		t.Fatalf("the gauge of waiting entries did not reach %v", want)
	}
	wait(70)
	if room, _ := metrics.Value(t, "vitae_usage_waiting_max"); room != 5000 {
		t.Errorf("the maximum number of waiting entries is %v", room)
	}
	down.Store(false)
	wait(0)
	stop()
	if sent, _ := metrics.Value(t, "vitae_usage_send_duration_seconds"); sent < 2 {
		t.Errorf("%v calls were measured", sent)
	}
}
