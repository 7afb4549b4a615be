package usage

import (
	"context"
	"math"
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/platform/account"
)

// RouteStats holds the statistics of a route over a range of days (behaviour: usage#routes).
type RouteStats struct {
	Method, Route                  string
	Requests, Failed, ServerFailed int64
	// P50 and P95 are the 50th and 95th percentiles of the latency.
	P50, P95 time.Duration
}

// Latencies counts the requests of a route in one latency bucket. Bucket b covers 2^(b/2) to
// 2^((b+1)/2) microseconds.
type Latencies struct {
	Method, Route                  string
	Bucket                         int
	Requests, Failed, ServerFailed int64
}

// Routes returns errors and latency by route and method. The range of days works as in List. Errors:
// account.ErrNotFound; Invalid, with the name of the field.
func (s *Service) Routes(ctx context.Context, accountID string, from, to time.Time) ([]RouteStats, error) {
	from, to, err := s.days(from, to, maxDays)
	if err != nil {
		return nil, err
	}
	if !fault.IsStorable(accountID) {
		return nil, account.ErrNotFound
	}
	found, err := s.store.Latencies(ctx, accountID, from, to)
	if err != nil {
		return nil, err
	}
	if len(found) == 0 {
		return nil, s.known(ctx, accountID)
	}
	var stats []RouteStats
	for first := 0; first < len(found); {
		next := first + 1
		for next < len(found) && found[next].Route == found[first].Route && found[next].Method == found[first].Method {
			next++
		}
		stats = append(stats, statsOf(found[first:next]))
		first = next
	}
	return stats, nil
}

// statsOf adds up the buckets of one route, which must be ordered from fastest to slowest.
func statsOf(buckets []Latencies) RouteStats {
	stats := RouteStats{Method: buckets[0].Method, Route: buckets[0].Route}
	for _, b := range buckets {
		stats.Requests += b.Requests
		stats.Failed += b.Failed
		stats.ServerFailed += b.ServerFailed
	}
	stats.P50, stats.P95 = quantile(buckets, stats.Requests, 50), quantile(buckets, stats.Requests, 95)
	return stats
}

// quantile returns the geometric mean of the bounds of the bucket that contains the percentile. It differs from the
// exact percentile by a factor of at most 2^(1/4), that is, 19 %.
func quantile(buckets []Latencies, requests, percent int64) time.Duration {
	rank := (requests*percent + 99) / 100
	var passed int64
	var held int
	for _, b := range buckets {
		passed, held = passed+b.Requests, b.Bucket
		if passed >= rank {
			break
		}
	}
	return time.Duration(math.Pow(2, (float64(held)+0.5)/2) * float64(time.Microsecond))
}
