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

// failing selects the statement that fails among those sent with a context.
type failing struct {
	at, sent int
	// forgiven are the names of queries that never fail.
	forgiven []string
}

func (f *failing) counts(sql string) bool {
	return !strings.EqualFold(sql, "rollback") &&
		!slices.ContainsFunc(f.forgiven, func(name string) bool { return strings.HasPrefix(sql, "-- name: "+name+" ") })
}

type failingKey struct{}

// tracer makes the statement of a failing fail before it reaches the server.
type tracer struct{}

var _ pgx.QueryTracer = tracer{}

// TraceQueryStart cancels the statement that is to fail. If that is a rollback, the
// connection is closed, which ends the transaction, so its error is not checked.
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

// TraceQueryEnd does nothing.
func (tracer) TraceQueryEnd(context.Context, *pgx.Conn, pgx.TraceQueryEndData) {}

// traced opens a copy of the pool whose statements can fail.
func (w *World) traced(pool *pgxpool.Pool) *pgxpool.Pool {
	w.Helper()
	config := pool.Config()
	pool.Close()
	config.ConnConfig.Tracer = tracer{}
	pool, err := pgxpool.NewWithConfig(w.Context(), config)
	w.Must(err)
	return pool
}

// NoFaultIsSwallowed repeats do with the first, second, … of its statements failing, until a
// run has no failing statement and must succeed. Every other run must return the statement's
// error instead of a regular answer and, if whole is true, change nothing. Queries with
// forgiven names don't fail.
//
// It doesn't support concurrent statements.
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

// Expecting turns the refusal with the code into success.
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

// AfterTheCommit are queries that don't affect the answer: the note of a secret's use, and
// those of the publisher, which retries.
var AfterTheCommit = []string{"NoteSecretUse", "ConnectionHashes", "DeleteRevocation"}

// contents returns a text that changes with every commit that writes a row.
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
