package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
	"sync/atomic"
	"time"
)

// load is how a rate is measured.
type load struct {
	// clients is how many clients send one request after another, each on a connection of
	// its own.
	clients int
	// span is how long one measurement takes.
	span time.Duration
	// rounds is how many measurements there are. Their median is reported.
	rounds int
}

var client = &http.Client{
	Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxConnsPerHost: 256},
	Timeout:   30 * time.Second,
}

// perSecond is how often do succeeds per second. The first error ends the measurement.
func (l load) perSecond(ctx context.Context, do func(context.Context) error) (float64, error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	var done atomic.Int64
	var wg sync.WaitGroup
	start := time.Now()
	for range l.clients {
		wg.Go(func() {
			for time.Since(start) < l.span && ctx.Err() == nil {
				if err := do(ctx); err != nil {
					cancel(err)
					return
				}
				done.Add(1)
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return 0, err
	}
	return float64(done.Load()) / time.Since(start).Seconds(), nil
}

// against measures product and floor in turn. It returns the medians of both rates, and
// the median of their ratios.
func (l load) against(ctx context.Context, product, floor func(context.Context) error) (ours, bare, ratio float64, err error) {
	var a, b, r []float64
	for i := range l.rounds + 1 {
		x, err := l.perSecond(ctx, product)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("product: %w", err)
		}
		y, err := l.perSecond(ctx, floor)
		if err != nil {
			return 0, 0, 0, fmt.Errorf("floor: %w", err)
		}
		if i > 0 { // the first round warms up
			a, b, r = append(a, x), append(b, y), append(r, x/y)
		}
	}
	return median(a), median(b), median(r), nil
}

// get returns a function that reads url, and the whole body of the answer, which must be
// 200.
func get(url, token string) func(context.Context) error {
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		return ask(req)
	}
}

func ask(req *http.Request) error {
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != http.StatusOK {
		return fmt.Errorf("%s %s: %d %.200s", req.Method, req.URL.Path, res.StatusCode, body)
	}
	return nil
}

// medianTime is the median time of do, run a number of times one after the other. prepare
// runs before each, and its time does not count.
func medianTime(ctx context.Context, times int, prepare func(context.Context, int) error, do func(context.Context) error) (time.Duration, error) {
	var took []float64
	for i := range times {
		if err := prepare(ctx, i); err != nil {
			return 0, err
		}
		start := time.Now()
		if err := do(ctx); err != nil {
			return 0, err
		}
		took = append(took, float64(time.Since(start)))
	}
	return time.Duration(median(took)), nil
}

func median(v []float64) float64 {
	v = slices.Sorted(slices.Values(v))
	if n := len(v); n%2 == 0 {
		return (v[n/2-1] + v[n/2]) / 2
	}
	return v[len(v)/2]
}
