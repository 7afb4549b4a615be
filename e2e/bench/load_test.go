package bench

import (
	"context"
	"fmt"
	"io"
	"net/http"
	"slices"
	"sync"
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

// run calls do for the span, and returns how long the calls took and how long all of it took.
// The first error ends it.
func (l load) run(ctx context.Context, do func(context.Context) error) (calls []time.Duration, all time.Duration, err error) {
	ctx, cancel := context.WithCancelCause(ctx)
	defer cancel(nil)
	ofClients := make([][]time.Duration, l.clients)
	var wg sync.WaitGroup
	start := time.Now()
	for i := range l.clients {
		wg.Go(func() {
			for now := time.Now(); now.Sub(start) < l.span && ctx.Err() == nil; {
				if err := do(ctx); err != nil {
					cancel(err)
					return
				}
				before := now
				now = time.Now()
				ofClients[i] = append(ofClients[i], now.Sub(before))
			}
		})
	}
	wg.Wait()
	if err := context.Cause(ctx); err != nil {
		return nil, 0, err
	}
	return slices.Concat(ofClients...), time.Since(start), nil
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
		return ask(req, http.StatusOK)
	}
}

// ask sends a request and reads the whole body of the answer, which must have the status.
func ask(req *http.Request, status int) error {
	res, err := client.Do(req)
	if err != nil {
		return err
	}
	defer res.Body.Close()
	body, err := io.ReadAll(res.Body)
	if err != nil {
		return err
	}
	if res.StatusCode != status {
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
