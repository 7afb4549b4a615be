package activity_test

import (
	"context"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/id"
	"vitae.internal/services/auth/internal/activity/auditlog"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/postgres"
)

// insertCounter counts the statements that add events.
type insertCounter struct{ n atomic.Int32 }

func (i *insertCounter) TraceQueryStart(ctx context.Context, _ *pgx.Conn, q pgx.TraceQueryStartData) context.Context {
	if strings.Contains(q.SQL, "INSERT INTO audit_events") {
		i.n.Add(1)
	}
	return ctx
}

func (*insertCounter) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

func TestEventsAreStoredInOneStatement(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	app := w.Confidential()
	cfg := w.Pool.Config()
	counted := &insertCounter{}
	cfg.ConnConfig.Tracer = counted
	pool, err := pgxpool.NewWithConfig(t.Context(), cfg)
	w.Must(err)
	t.Cleanup(pool.Close)
	stores := postgres.New(pool)

	var now time.Time
	w.Must(pool.QueryRow(t.Context(), "SELECT clock_timestamp()").Scan(&now))
	events := make([]audit.Event, 200)
	for i := range events {
		events[i] = audit.Event{
			ID: id.New("evt"), At: now.Add(time.Duration(i-200) * time.Microsecond), Action: audit.JobUpdate, Outcome: audit.Done,
			Actor: audit.Actor{Kind: audit.Operator}, Caller: "vitaectl",
		}
	}
	// One event has every field, and another one only the required fields. The event recorded by a different service
	// names no account.
	full := &events[7]
	full.Outcome, full.Code, full.Actor = audit.Refused, "JOB_NOT_FOUND", audit.ByKey(id.New("key"))
	full.AppID, full.PersonID, full.Object = app.App.ID, id.New("usr"), audit.Object{Type: "job", ID: id.New("job")}
	full.ClientAddress, full.RequestID, full.Details = "192.0.2.1", id.New("req"), map[string]string{audit.Status: "active"}
	w.Must(stores.Audit.AddEvents(t.Context(), events))
	w.Must(stores.Audit.AddEvents(t.Context(), events[:1])) // adding an existing event again doesn't change it
	if n := counted.n.Load(); n != 2 {
		t.Errorf("%d statements for two calls", n)
	}

	got, err := stores.Audit.Events(t.Context(), auditlog.Query{Actions: []string{string(audit.JobUpdate)}, After: auditlog.Position{At: now.Add(time.Hour)}, AtMost: 1000})
	w.Must(err)
	if len(got) != len(events) {
		t.Fatalf("%d events are stored", len(got))
	}
	full.AccountID = app.AccountID
	for i, e := range got {
		want := events[len(events)-1-i].Clean()
		if !e.At.Equal(want.At) || len(e.Details) != len(want.Details) || e.Details[audit.Status] != want.Details[audit.Status] {
			t.Errorf("%+v, want %+v", e, want)
		}
		e.At, e.Details, want.At, want.Details = time.Time{}, nil, time.Time{}, nil
		if !equal(e, want) {
			t.Errorf("%+v, want %+v", e, want)
		}
	}
}

func equal(a, b audit.Event) bool {
	return a.ID == b.ID && a.Action == b.Action && a.Outcome == b.Outcome && a.Code == b.Code && a.Actor == b.Actor && a.Caller == b.Caller &&
		a.AccountID == b.AccountID && a.AppID == b.AppID && a.PersonID == b.PersonID && a.Object == b.Object &&
		a.ClientAddress == b.ClientAddress && a.RequestID == b.RequestID
}
