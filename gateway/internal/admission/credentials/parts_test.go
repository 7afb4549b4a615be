package credentials

import (
	"context"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// A revocation may complete while a call is in progress. Later requests must not get the state that the call
// has already read.
func TestRequestNeverJoinsCallInProgress(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		f, key := newFlights(), presented{}
		release := make(chan struct{})
		calls, live := 0, true
		call := func(context.Context) (*authv1.SessionRecord, error) {
			calls++
			read := live // reads the state before the call returns
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
		synctest.Wait() // the first call has read "live" and is waiting

		live = false // the revocation completes
		const many = 50
		late := make(chan error, many)
		for range many {
			go func() { _, err := f.do(t.Context(), key, call); late <- err }()
		}
		synctest.Wait()
		close(release)
		if err := <-early; err != nil {
			t.Errorf("the request before the revocation: %v", err)
		}
		for range many {
			if err := <-late; err == nil {
				t.Fatal("a request after the revocation got a live credential")
			}
		}
		if calls != 2 {
			t.Errorf("%d requests caused %d calls, want 2", many+1, calls)
		}
		synctest.Wait()
		if len(f.queues) != 0 {
			t.Error("queues are left behind")
		}
	})
}

func TestCanceledRequestDoesNotCancelOthers(t *testing.T) {
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
		go func() { _, err := f.do(ctx, key, call); first <- err }() // creates the next call
		synctest.Wait()
		other := make(chan error, 1)
		go func() { _, err := f.do(t.Context(), key, call); other <- err }() // shares it
		synctest.Wait()
		cancel()
		if err := <-first; !errors.Is(err, context.Canceled) {
			t.Errorf("the canceled request: %v", err)
		}
		close(release)
		if err := errors.Join(<-first, <-other); err != nil {
			t.Errorf("the other requests: %v", err)
		}
	})
}

// A request may have no deadline, and other requests wait for its call.
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
