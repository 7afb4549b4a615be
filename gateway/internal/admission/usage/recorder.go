package usage

import (
	"context"
	"errors"
	"log/slog"
	"math"
	"time"

	"vitae.internal/gateway/internal/chain"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// Every is the time between two batches, unless a thousand requests arrive earlier. A replica that is
	// killed loses only the requests since the last batch.
	Every = time.Second
	// sendTimeout limits one attempt to send a batch. The next attempt starts after it, so it also limits how
	// much can be lost while the auth service is slow.
	sendTimeout = 3 * time.Second
	// drainTimeout limits how long the gateway tries to send the remaining batches when it stops. drainPause is
	// the time between two attempts.
	drainTimeout = 3 * time.Second
	drainPause   = 100 * time.Millisecond
)

// Config holds the settings of a Recorder. All of them are required.
type Config struct {
	Auth authv1.UsageServiceClient
	Log  *slog.Logger
	// Buffer is the maximum number of log entries that wait to be sent. It must be at least 1000.
	Buffer int
	// Every is the time between two batches that are not full.
	Every time.Duration
}

// Recorder collects requests and reports them to the auth service.
type Recorder struct {
	cfg    Config
	buffer *buffer
	// wake makes Run send a full batch before the next tick.
	wake chan struct{}

	// Only Run uses the fields below.

	// batch is the batch that was sent but has not been acknowledged. It is sent again until it is.
	batch *authv1.RecordRequestsRequest
	// failing is true after a failed attempt, so that an outage is logged only once.
	failing bool
}

// New returns a Recorder. It returns an error if c is incomplete.
func New(c Config) (*Recorder, error) {
	if c.Auth == nil || c.Log == nil || c.Buffer < batchEntries || c.Every <= 0 {
		return nil, errors.New("usage: the configuration is incomplete, or the buffer is smaller than 1000 entries")
	}
	room.Set(float64(c.Buffer))
	return &Recorder{cfg: c, buffer: newBuffer(c.Buffer), wake: make(chan struct{}, 1)}, nil
}

// Record adds a request. It never blocks.
func (r *Recorder) Record(e chain.Record) {
	recorded.Inc()
	whole, entryLost, countLost := r.buffer.add(e)
	if entryLost {
		droppedEntries.Inc()
	}
	if countLost {
		droppedCounts.Inc()
	}
	if whole {
		select {
		case r.wake <- struct{}{}:
		default: // Run is already awake
		}
	}
}

// Run sends batches until ctx is done, and then the remaining requests. Requests that arrive while it is
// sending wait for the next tick, because the transaction for a batch costs the auth service about as much as
// a hundred entries.
func (r *Recorder) Run(ctx context.Context) {
	tick := time.NewTicker(r.cfg.Every)
	defer tick.Stop()
	for {
		select {
		case <-tick.C:
			r.updateGauges()
			r.flush(ctx, r.buffer.batches())
			r.updateGauges()
		case <-r.wake:
			full := r.buffer.fullBatches()
			if r.failing || full == 0 { // the next tick retries, or the batch has already been sent
				continue
			}
			// The remaining requests arrived after the last full batch, so they may wait for a full period.
			tick.Reset(r.cfg.Every)
			r.updateGauges()
			r.flush(ctx, full)
			r.updateGauges()
		case <-ctx.Done():
			r.drain(context.WithoutCancel(ctx))
			return
		}
	}
}

// updateGauges updates the gauges for waiting entries and counts.
func (r *Recorder) updateGauges() {
	entries, counts := r.buffer.left()
	waitingEntries.Set(float64(entries + len(r.batch.GetEntries())))
	waitingCounts.Set(float64(counts + len(r.batch.GetCounts())))
}

// flush sends the unacknowledged batch, and then up to most others. It stops when a batch fails or none is
// left, and reports whether all succeeded.
func (r *Recorder) flush(ctx context.Context, most int) bool {
	for {
		if r.batch == nil {
			if most == 0 {
				return true
			}
			most--
			if r.batch = newBatch(r.buffer.take()); r.batch == nil {
				return true
			}
		}
		if !r.send(ctx) {
			return false
		}
		r.batch = nil
	}
}

// send sends the batch. It reports whether the batch is done, which means that the auth service has accepted
// or permanently rejected it. A failed call may have reached the auth service, which recognizes a repeated
// batch by its id.
func (r *Recorder) send(ctx context.Context) bool {
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	start := time.Now()
	_, err := r.cfg.Auth.RecordRequests(ctx, r.batch)
	sent.Observe(time.Since(start).Seconds())
	switch {
	case err == nil:
		taken.Inc()
		if r.failing {
			r.cfg.Log.InfoContext(ctx, "auth accepts usage again")
		}
		r.failing = false
		return true
	case errs.KindOf(err) == errs.Invalid:
		// Sent again, the batch would be rejected again, and all later batches would have to wait.
		failed.Inc()
		droppedEntries.Add(float64(len(r.batch.GetEntries())))
		for _, c := range r.batch.GetCounts() {
			droppedCounts.Add(float64(c.GetUsage().GetRequests()))
		}
		r.cfg.Log.ErrorContext(ctx, "auth rejected a batch of usage", "batch", r.batch.GetBatchId(), "error", err)
		return true
	default:
		failed.Inc()
		if !r.failing {
			r.cfg.Log.WarnContext(ctx, "usage waits for auth", "error", err)
		}
		r.failing = true
		return false
	}
}

func (r *Recorder) drain(ctx context.Context) {
	ctx, cancel := context.WithTimeout(ctx, drainTimeout)
	defer cancel()
	for !r.flush(ctx, math.MaxInt) {
		pause := time.NewTimer(drainPause)
		select {
		case <-pause.C:
		case <-ctx.Done():
			pause.Stop()
			entries, counts := r.buffer.left()
			r.cfg.Log.ErrorContext(ctx, "usage is lost: auth did not accept it before the gateway stopped",
				"entries", entries+len(r.batch.GetEntries()), "counts", counts+len(r.batch.GetCounts()))
			return
		}
	}
}
