package authtest

import (
	"context"
	"reflect"
	"testing"
	"time"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
)

// Operation is a call to a store method.
type Operation = struct {
	Name string
	Do   func(ctx context.Context) error
	// Event contains the fields that are specific to the operation's audit event, or is nil if there are none.
	Event *audit.Event
}

func operations(w *World, prepare []func(*World) []Operation) (all []Operation) {
	for _, some := range prepare {
		all = append(all, some(w)...)
	}
	return all
}

// Called returns the initial audit event of every call in these tests.
func Called(requestID string) audit.Event {
	return audit.Event{
		Action: audit.MethodCall, Outcome: audit.Done, Actor: audit.Actor{Kind: audit.Anonymous}, Caller: audit.Gateway,
		Object: audit.Object{Type: "connection"}, ClientAddress: "203.0.113.7", RequestID: requestID, Details: map[string]string{},
	}
}

// CheckFaults makes each statement of each operation fail in turn. The operation must then return the error and
// change nothing.
func CheckFaults(t *testing.T, prepare ...func(*World) []Operation) {
	t.Helper()
	w := New(t)
	for _, o := range operations(w, prepare) {
		w.NoFaultIsSwallowed(o.Name, true, func(ctx context.Context) error {
			ctx, cancel := context.WithTimeout(ctx, time.Minute)
			defer cancel()
			call := audit.NewCall(Called(id.New("req")))
			ctx = audit.NewContext(ctx, call)
			err := o.Do(ctx)
			if n := len(call.Result().Stored); (n > 0) != (err == nil && o.Event != nil) {
				t.Errorf("%s: %d events are reported as stored, and the error is %v", o.Name, n, err)
			}
			return err
		})
	}
}

// CheckEvents runs each operation and checks the audit event that it adds.
func CheckEvents(t *testing.T, prepare ...func(*World) []Operation) {
	t.Helper()
	w := New(t)
	for _, o := range operations(w, prepare) {
		call := audit.NewCall(Called(id.New("req")))
		ctx := audit.NewContext(t.Context(), call)
		w.Must(o.Do(ctx))
		all, err := w.Stores.Audit.Events(t.Context(), auditlog.Query{After: auditlog.Position{At: time.Now().AddDate(1, 0, 0)}, AtMost: 1000})
		w.Must(err)
		stored, request := []audit.Event{}, call.Ended("").RequestID
		for _, e := range all {
			if e.RequestID == request {
				stored = append(stored, e)
			}
		}
		if o.Event == nil {
			if len(stored) > 0 {
				t.Errorf("%s: %+v", o.Name, stored)
			}
			continue
		}
		want := Called(request)
		want.AccountID, want.AppID, want.PersonID, want.Object.ID = o.Event.AccountID, o.Event.AppID, o.Event.PersonID, o.Event.Object.ID
		if o.Event.Actor.Kind != "" {
			want.Actor = o.Event.Actor
		}
		if o.Event.Action != "" {
			want.Action = o.Event.Action
		}
		if o.Event.Object.Type != "" {
			want.Object.Type = o.Event.Object.Type
		}
		if o.Event.Details != nil {
			want.Details = o.Event.Details
		}
		if told := call.Result().Stored; len(stored) != 1 || len(told) != 1 || told[0].ID != stored[0].ID {
			t.Errorf("%s: stored %+v, reported %+v", o.Name, stored, told)
			continue
		}
		for _, got := range []audit.Event{stored[0], call.Result().Stored[0]} {
			if got.ID, got.At = "", (time.Time{}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s:\ngot  %+v\nwant %+v", o.Name, got, want)
			}
		}
	}
}
