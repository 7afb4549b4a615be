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

// load configures a measurement.
type load struct {
	// clients is the number of concurrent clients. Each sends one request at a time, on its own
	// connection.
	clients int
	// span is the duration of one measurement.
	span time.Duration
	// rounds is the number of measurements.
	rounds int
}

var client = &http.Client{
	Transport: &http.Transport{MaxIdleConnsPerHost: 256, MaxConnsPerHost: 256},
	Timeout:   30 * time.Second,
}

// run calls do repeatedly for the duration of the span. It returns the duration of each call and the total
// duration. The first error stops it.
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

// get returns a function that reads url with the whole response body. The status must be 200.
func get(url, token string) func(context.Context) error {
	return func(ctx context.Context) error {
		req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
		if err != nil {
			return err
		}
		if token != "" {
			req.Header.Set("Authorization", "Bearer "+token)
		}
		return send(req, http.StatusOK)
	}
}

// send sends a request and reads the whole response body. The response must have the status.
func send(req *http.Request, status int) error {
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

// medianTime returns the median duration of do, which is called several times. prepare is called before
// each call, and its duration is not counted.
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
