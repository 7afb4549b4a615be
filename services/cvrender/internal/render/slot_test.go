package render_test

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/cvrender/internal/render"
)

// newPool returns a pool that runs in the test's synctest bubble. It logs to the returned buffer.
func newPool(t *testing.T, l render.Limits, launch render.Launch) (*render.Pool, *bytes.Buffer) {
	t.Helper()
	var log bytes.Buffer
	pool, err := render.NewPool(render.PoolConfig{Launch: launch, Refiner: asItIs{}, Limits: l, Log: slog.New(slog.NewTextHandler(&log, nil))})
	if err != nil {
		t.Fatal(err)
	}
	return pool, &log
}

func TestFailedStartsBackOff(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		var at []time.Duration
		working, failures := newPrinter(nil), 9
		pool, log := newPool(t, limits(), func(ctx context.Context) (render.Browser, error) {
			at = append(at, time.Since(began))
			if d, ok := ctx.Deadline(); !ok || time.Until(d) != 30*time.Second {
				t.Errorf("the browser has %v to start", time.Until(d))
			}
			if len(at) == failures+1 {
				return working, nil
			}
			return nil, errors.New("no usable sandbox")
		})
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		const ms = time.Millisecond
		want := []time.Duration{0, 250 * ms, 750 * ms, 1750 * ms, 3750 * ms, 7750 * ms, 15750 * ms, 25750 * ms, 35750 * ms, 45750 * ms}
		if !slices.Equal(at, want) {
			t.Errorf("started at\n%v, want\n%v", at, want)
		}
		if n := bytes.Count(log.Bytes(), []byte("chromium does not start")); n != failures {
			t.Errorf("%d failures are logged, want %d:\n%s", n, failures, log)
		}
		// After a successful start, the first pause is short again.
		ending := working
		working, failures, at, began = newPrinter(nil), 1, nil, time.Now()
		if err := ending.Close(); err != nil {
			t.Fatal(err)
		}
		time.Sleep(time.Minute)
		synctest.Wait()
		if !slices.Equal(at, want[:2]) {
			t.Errorf("after a successful start, started at %v", at)
		}
		pool.Close()
	})
}

func TestCloseDuringStartIsNotLoggedAsFailure(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		pool, log := newPool(t, limits(), func(ctx context.Context) (render.Browser, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		synctest.Wait()
		pool.Close()
		if log.Len() != 0 {
			t.Errorf("the log contains %s", log)
		}
		_, err := pool.Version(t.Context())
		wantUnavailable(t, err, errs.Unavailable, 5*time.Second)
	})
}

// deaf is a printer that counts pings and returns err for each of them.
type deaf struct {
	*printer
	pings int
	err   error
}

func (d *deaf) Ping(_ context.Context, within time.Duration) error {
	if d.pings++; within != 3*time.Second {
		return errors.New("another time")
	}
	return d.err
}

func TestIdleBrowserIsPingedAfterOneSecond(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		browser, launches := &deaf{printer: newPrinter(nil)}, 0
		pool, _ := newPool(t, limits(), func(context.Context) (render.Browser, error) { launches++; return browser, nil })
		defer pool.Close()
		s := serviceOn(t, pool, 10, plain{})
		for i, step := range []struct {
			silence time.Duration
			pings   int
		}{{0, 0}, {time.Second, 0}, {time.Second + 1, 1}, {0, 1}, {time.Minute, 2}} {
			synctest.Wait()
			time.Sleep(step.silence)
			if _, err := s.Render(t.Context(), named("p", string(rune('a'+i)))); err != nil || browser.pings != step.pings || launches != 1 {
				t.Errorf("after %v: %d pings, %d browsers, %v", step.silence, browser.pings, launches, err)
			}
		}
	})
}

func TestUnresponsiveBrowserIsReplacedFirst(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var printed []string
		printing := func(name string) *printer {
			return newPrinter(func(_ context.Context, html string) ([]byte, error) {
				printed = append(printed, name)
				return fakePDF(html), nil
			})
		}
		first := &deaf{printer: printing("first"), err: errors.New("silent")}
		launches := 0
		pool, _ := newPool(t, limits(), func(context.Context) (render.Browser, error) {
			if launches++; launches == 1 {
				return first, nil
			}
			return printing("second"), nil
		})
		defer pool.Close()
		synctest.Wait()
		time.Sleep(2 * time.Second)
		if _, err := serviceOn(t, pool, 10, plain{}).Render(t.Context(), named("p", "x")); err != nil || !slices.Equal(printed, []string{"second"}) {
			t.Errorf("printed by %v, %v", printed, err)
		}
		select {
		case <-first.Gone():
		default:
			t.Error("the first browser is still running")
		}
	})
}

func TestPoolIsNotReadyBetweenBrowsers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		first, starts := newPrinter(nil), make(chan struct{})
		var once sync.Once
		pool, _ := newPool(t, limits(), func(context.Context) (b render.Browser, err error) {
			once.Do(func() { b = first })
			if b == nil {
				<-starts
				b = newPrinter(nil)
			}
			return b, nil
		})
		defer pool.Close()
		synctest.Wait()
		if err := pool.Ready(); err != nil {
			t.Errorf("with a browser: %v", err)
		}
		if err := first.Close(); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if err := pool.Ready(); err == nil {
			t.Error("ready without a browser")
		}
		close(starts)
		synctest.Wait()
		if err := pool.Ready(); err != nil {
			t.Errorf("with the next browser: %v", err)
		}
	})
}
