// Package records verifies the seal of session records in Redis. The seal is a message authentication code that
// the auth service adds. Without it, anyone who can write to Redis could copy one account's record to the key
// of a different account's credential, and read the first account's data.
//
// A record without a valid seal is treated as missing, so the auth service is called and overwrites it. A
// wrong seal, unlike a missing one, also raises an alarm.
//
// The last verified bytes of each record are cached, so a record is verified and decoded once, and only
// compared afterwards. A record's age is checked each time.
//
// The package must never log a record, or return an invalid one.
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
		Help: "Session records in Redis that were rejected because of a wrong seal, by what failed: signature or age.",
	}, []string{"failed"})
	badSignature, badAge = forged.WithLabelValues("signature"), forged.WithLabelValues("age")

	unsealed = promauto.NewCounter(prometheus.CounterOpts{
		Name: "vitae_session_record_unsealed_total",
		Help: "Session records in Redis that were rejected because they have no seal.",
	})
)

// alarmEvery is the minimum time between log lines about forged records. The counter includes all of them.
const alarmEvery = time.Second

// openedCount is the maximum number of verified records in the cache. It limits the cache's memory to
// about 12 MB. If more credentials are in use, some records are verified again.
const openedCount = 4096

// Config holds the dependencies of an Opener. All of them are required.
type Config struct {
	// Seal verifies the seal of records.
	Seal *sessionrecord.Seal
	// Clock determines the age of records.
	Clock clock.Clock
	Log   *slog.Logger
}

// Opener verifies stored records.
type Opener struct {
	Config
	opened    *lru.Cache[credential.Digest, *sessionrecord.Opened]
	alarmedAt atomic.Int64 // Unix nanoseconds
}

// New returns an Opener. It returns an error if a dependency is missing.
func New(c Config) (*Opener, error) {
	if c.Seal == nil || c.Clock == nil || c.Log == nil {
		return nil, errors.New("records: a dependency is missing")
	}
	return &Opener{Config: c, opened: lru.New[credential.Digest, *sessionrecord.Opened](openedCount)}, nil
}

// Open returns the stored record of a credential, or nil if the record is invalid. Requests share the record,
// so callers must not modify it.
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

// alarm logs a forged record. Alerts match the message, so it must not change.
func (o *Opener) alarm(ctx context.Context, ref sessionrecord.Ref, failed string, now time.Time) {
	last := o.alarmedAt.Load()
	since := time.Duration(now.UnixNano() - last)
	if last != 0 && since >= 0 && since < alarmEvery || !o.alarmedAt.CompareAndSwap(last, now.UnixNano()) {
		return
	}
	o.Log.ErrorContext(ctx, "a session record in redis is forged", "account", ref.AccountID, "failed", failed)
}
