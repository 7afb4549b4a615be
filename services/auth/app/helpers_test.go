package app_test

import (
	"slices"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/errs"
)

func second[T any](_ T, err error) error { return err }

func wantCode(t testing.TB, err error, code string) {
	t.Helper()
	if !errs.HasCode(err, code) {
		t.Fatalf("error %v, want %s", err, code)
	}
}

// atOnce runs the function n times concurrently, and distributes the runs over the replicas.
func atOnce(n int, replicas []*world, do func(i int, w *world)) {
	var ready, done sync.WaitGroup
	start := make(chan struct{})
	ready.Add(n)
	for i := range n {
		done.Go(func() {
			ready.Done()
			<-start
			do(i, replicas[i%len(replicas)])
		})
	}
	ready.Wait()
	close(start)
	done.Wait()
}

// eventually waits until ok returns true.
func eventually(t testing.TB, what string, ok func() bool) {
	t.Helper()
	deadline := time.After(30 * time.Second)
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	for !ok() {
		select {
		case <-deadline:
			t.Fatal("timed out waiting for: " + what)
		case <-tick.C:
		}
	}
}

// codeOf returns the code of an error, or "" if err is nil.
func codeOf(err error) string {
	if err == nil {
		return ""
	}
	e, ok := errs.As(err)
	if !ok {
		return err.Error()
	}
	return e.Code
}

// isRefused fails the test unless err has the given code and names the given field.
func (w *world) isRefused(err error, code, field string) {
	w.Helper()
	e, ok := errs.As(err)
	if !ok || code != "" && e.Code != code || e.Field() != field {
		w.Errorf("%v, want %s of %s", err, code, field)
	}
}

// wantFields fails the test unless err names the fields as invalid.
func wantFields(t *testing.T, err error, fields ...string) {
	t.Helper()
	wantCode(t, err, "INVALID_ARGUMENT")
	e, _ := errs.As(err)
	for _, field := range fields {
		if !slices.ContainsFunc(e.Violations, func(v errs.Violation) bool { return v.Field == field }) {
			t.Errorf("%s is not named: %v", field, err)
		}
	}
}
