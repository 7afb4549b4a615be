package authtest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"

	"vitae.internal/pkg/errs"
)

// failing is the statement that fails of those that are sent under a context.
type failing struct {
	at, sent int
	// forgiven are the names of queries that do not count.
	forgiven []string
}

func (f *failing) counts(sql string) bool {
	return !strings.EqualFold(sql, "rollback") &&
		!slices.ContainsFunc(f.forgiven, func(name string) bool { return strings.HasPrefix(sql, "-- name: "+name+" ") })
}

type failingKey struct{}

// tracer lets the statement of a failing fail: it never reaches the server.
type tracer struct{}

var _ pgx.QueryTracer = tracer{}

// TraceQueryStart implements pgx.QueryTracer. A transaction that cannot be rolled back
// ends with its connection, so nobody looks at the error of a rollback.
func (tracer) TraceQueryStart(ctx context.Context, _ *pgx.Conn, sent pgx.TraceQueryStartData) context.Context {
	f, ok := ctx.Value(failingKey{}).(*failing)
	if !ok || !f.counts(sent.SQL) {
		return ctx
	}
	if f.sent++; f.sent != f.at {
		return ctx
	}
	ctx, cancel := context.WithCancel(ctx)
	cancel()
	return ctx
}

// TraceQueryEnd implements pgx.QueryTracer.
func (tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// traced opens a pool like the given one whose statements can fail.
func (w *World) traced(pool *pgxpool.Pool) *pgxpool.Pool {
	w.Helper()
	config := pool.Config()
	pool.Close()
	config.ConnConfig.Tracer = tracer{}
	pool, err := pgxpool.NewWithConfig(w.Context(), config)
	w.Must(err)
	return pool
}

// NoFaultIsSwallowed does something again and again: with the first of its statements
// failing, then with the second, until one try has no failing statement, which must
// succeed. Every other try must give the error of the statement, and not take the fault
// for an answer of the database. If whole is true, nothing may be changed after it.
// The queries with the forgiven names do not fail.
//
// It must not be used for what runs several statements at once.
func (w *World) NoFaultIsSwallowed(name string, whole bool, do func(ctx context.Context) error, forgiven ...string) {
	w.Helper()
	before := w.contents()
	for n := 1; ; n++ {
		f := &failing{at: n, forgiven: forgiven}
		err := do(context.WithValue(w.Context(), failingKey{}, f))
		if f.sent < n {
			if err != nil {
				w.Errorf("%s: without a fault: %v", name, err)
			}
			if n == 1 {
				w.Errorf("%s: it sent no statement", name)
			}
			return
		}
		if !errors.Is(err, context.Canceled) {
			w.Errorf("%s: statement %d failed, and the answer is %v", name, n, err)
			return
		}
		if whole && w.contents() != before {
			w.Errorf("%s: statement %d failed, and something was changed", name, n)
			return
		}
	}
}

// Expecting is what must be answered with the refusal of the code.
func Expecting(code string, do func(ctx context.Context) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		switch err := do(ctx); {
		case errs.HasCode(err, code):
			return nil
		case err == nil:
			return fmt.Errorf("not refused with %s", code)
		default:
			return err
		}
	}
}

// AfterTheCommit are the queries that the answer of a use case does not depend on: the
// note of a secret's use, and those of the publisher, which tries again.
var AfterTheCommit = []string{"NoteSecretUse", "ConnectionHashes", "DeleteRevocation"}

// contents tells whether anything was changed: it is another text after every commit that
// has written a row.
func (w *World) contents() (now string) {
	w.Helper()
	if w.counting == "" {
		w.Must(w.Pool.QueryRow(w.Context(), `SELECT 'SELECT concat(' || string_agg(
			format('(SELECT concat(count(*), ''/'', sum(xmin::text::numeric)) FROM %I)', relname), ', '' '', ') || ')'
			FROM pg_class WHERE relkind IN ('r', 'p') AND NOT relispartition AND relnamespace = 'public'::regnamespace`).Scan(&w.counting))
	}
	w.Must(w.Pool.QueryRow(w.Context(), w.counting).Scan(&now))
	return now
}
