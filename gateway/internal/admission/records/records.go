// Package records decides whether a session record that lies in Redis is believed. Redis
// is shared: who can write to it, at an operator's terminal or through a hole somewhere
// else, could otherwise copy the record of one account into another's, and have its own
// key read that account's data.
//
// A record that auth has not sealed is treated as absent: auth is asked, and writes the
// true one over it. If the seal is wrong, and not only missing, an alarm is raised.
//
// A credential in use is read many times while one record lives. What auth's seal was found
// on is remembered to the byte, so a record is verified and decoded once, and after that
// only compared. Its age is looked at each time.
//
// It must never log a record, or let one act that it does not believe.
package records

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/gateway/internal/admission/lru"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

var (
	forged = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_session_record_forged_total",
		Help: "Session records in Redis that were refused because auth did not write them so, by what failed: signature or age.",
	}, []string{"failed"})
	badSignature, badAge = forged.WithLabelValues("signature"), forged.WithLabelValues("age")

	unsealed = promauto.NewCounter(prometheus.CounterOpts{
		Name: "vitae_session_record_unsealed_total",
		Help: "Session records in Redis that were refused because they have no seal.",
	})
)

// alarmEvery is the least time between two lines about forged records. The counter has
// all of them.
const alarmEvery = time.Second

// openedCount bounds the memory of verified records, to about 12 MB. With more credentials
// in use at a time, some records are verified again.
const openedCount = 4096

// Config is what an Opener needs; all of it is required.
type Config struct {
	// Seal checks what auth has sealed.
	Seal *sessionrecord.Seal
	// Clock tells the age of a record.
	Clock clock.Clock
	Log   *slog.Logger
}

// Opener opens stored records.
type Opener struct {
	Config
	opened    *lru.Cache[credential.Digest, *sessionrecord.Opened]
	alarmedAt atomic.Int64 // Unix nanoseconds
}

// New makes an Opener.
func New(c Config) (*Opener, error) {
	if c.Seal == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("records: a dependency is missing")
	}
	return &Opener{Config: c, opened: lru.New[credential.Digest, *sessionrecord.Opened](openedCount)}, nil
}

// Open returns what is stored for a credential, nil if it is not believed. Requests share
// what it returns, so callers must not change it.
func (o *Opener) Open(ctx context.Context, ref sessionrecord.Ref, stored *sessionrecord.Stored) *authv1.SessionRecord {
	now := o.Clock.Now()
	record, err := o.open(ref, stored, now)
	switch {
	case err == nil:
		return record
	case errors.Is(err, sessionrecord.ErrUnsealed):
		unsealed.Inc()
	case errors.Is(err, sessionrecord.ErrStale):
		badAge.Inc()
		o.alarm(ctx, ref, "age", now)
	default:
		badSignature.Inc()
		o.alarm(ctx, ref, "signature", now)
	}
	return nil
}

func (o *Opener) open(ref sessionrecord.Ref, stored *sessionrecord.Stored, now time.Time) (*authv1.SessionRecord, error) {
	known, ok := o.opened.Get(ref.Hash)
	if !ok || !known.Is(ref, stored) {
		var err error
		if known, err = o.Seal.Verify(ref, stored); err != nil {
			return nil, err
		}
		o.opened.Put(ref.Hash, known)
	}
	return known.At(now)
}

// alarm tells operators. Its message stays as it is, because alerts are made of it.
func (o *Opener) alarm(ctx context.Context, ref sessionrecord.Ref, failed string, now time.Time) {
	last := o.alarmedAt.Load()
	since := time.Duration(now.UnixNano() - last)
	if last != 0 && since >= 0 && since < alarmEvery || !o.alarmedAt.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	o.Log.ErrorContext(ctx, "a session record in redis is forged", "account", ref.AccountID, "failed", failed)
}
