package credentials

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// A revoke may answer during a call. A later request must not get the state that the call
// has read before.
func TestRequestNeverJoinsRunningCall(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, key := newFlights(), presented{}
		release := make(chan struct{})
		calls, live := 0, true
		call := func(context.Context) (*authv1.SessionRecord, error) {
			calls++
			read := live // reads the state; the answer comes later
			if calls == 1 {
				<-release
			}
			if !read {
				return nil, errors.New("revoked")
			}
			return &authv1.SessionRecord{}, nil
		}
		early := make(chan error, 1)
		go func() { _, err := f.do(t.Context(), key, call); early <- err }()
		synctest.Wait() // the first call has read "live" and waits

		live = false // the revoke answers
		const many = 50
		late := make(chan error, many)
		for range many {
			go func() { _, err := f.do(t.Context(), key, call); late <- err }()
		}
		synctest.Wait()
		close(release)
		if err := <-early; err != nil {
			t.Errorf("the one from before the revoke: %v", err)
		}
		for range many {
			if err := <-late; err == nil {
				t.Fatal("one from after the revoke was told that the credential lives")
			}
		}
		if calls != 2 {
			t.Errorf("%d requests cost %d calls, want 2", many+1, calls)
		}
		synctest.Wait()
		if len(f.queues) != 0 {
			t.Error("lines are left behind")
		}
	})
}

func TestCancelledRequestDoesNotCancelOthers(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, key := newFlights(), presented{}
		release := make(chan struct{})
		call := func(ctx context.Context) (*authv1.SessionRecord, error) {
			select {
			case <-release:
				return &authv1.SessionRecord{}, ctx.Err()
			case <-ctx.Done():
				return nil, ctx.Err()
			}
		}
		ctx, cancel := context.WithCancel(t.Context())
		first := make(chan error, 2)
		go func() { _, err := f.do(t.Context(), key, call); first <- err }()
		synctest.Wait()
		go func() { _, err := f.do(ctx, key, call); first <- err }() // begins the next call
		synctest.Wait()
		other := make(chan error, 1)
		go func() { _, err := f.do(t.Context(), key, call); other <- err }() // shares it
		synctest.Wait()
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("the one that went away: %v", err)
		}
		close(release)
		if err := errors.Join(<-first, <-other); err != nil {
			t.Errorf("the others: %v", err)
		}
	})
}

// A request may have no deadline, and others wait for its call.
func TestSharedCallTimesOut(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		began := time.Now()
		_, err := newFlights().do(t.Context(), presented{}, func(ctx context.Context) (*authv1.SessionRecord, error) {
			<-ctx.Done()
			return nil, ctx.Err()
		})
		if !errors.Is(err, context.DeadlineExceeded) || time.Since(began) != 5*time.Second {
			t.Errorf("after %v: %v", time.Since(began), err)
		}
	})
}
