package usage

import (
	"context"
	"math"
	"time"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/developer"
)

// RouteStats are the requests of one route over some days (behaviour: usage#routes).
type RouteStats struct {
	Method, Route                  string
	Requests, Failed, ServerFailed int64
	// P50 and P95 are the times that half and 95 of 100 requests took at most.
	P50, P95 time.Duration
}

// Latencies are the requests of a route whose latency lies in one bucket. Bucket b holds
// from 2^(b/2) to 2^((b+1)/2) microseconds.
type Latencies struct {
	Method, Route                  string
	Bucket                         int
	Requests, Failed, ServerFailed int64
}

// Routes gives errors and latency by route, by route and method. Days are as for List.
// Errors: ErrAccountNotFound; Invalid naming the field.
func (s *Service) Routes(ctx context.Context, accountID string, from, to time.Time) ([]RouteStats, error) {
	from, to, err := s.days(from, to, maxDays)
	if err != nil {
		return nil, err
	}
	if !fault.IsStorable(accountID) {
		return nil, developer.ErrAccountNotFound
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

// statsOf adds up the buckets of one route, which come from the fastest to the slowest.
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

// quantile is the middle of the bucket in which the request lies that as many of 100
// requests as percent are not slower than. The middle is the geometric one, so that the
// figure is at most a factor of 2^(1/4), 19 %, from the true one.
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
