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

// failing selects which of the statements executed with a context fails.
type failing struct {
	at, sent int
	// forgiven lists the names of queries that never fail.
	forgiven []string
}

func (f *failing) counts(sql string) bool {
	return !strings.EqualFold(sql, "rollback") &&
		!slices.ContainsFunc(f.forgiven, func(name string) bool { return strings.HasPrefix(sql, "-- name: "+name+" ") })
}

type failingKey struct{}

// tracer makes the selected statement fail before it reaches the server.
type tracer struct{}

var _ pgx.QueryTracer = tracer{}

// TraceQueryStart cancels the statement selected by failing, so that it fails.
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

// NoFaultIsSwallowed runs the function repeatedly. The first statement fails in the first run, the second one in the
// second run, and so on, until no statement fails in a run; that run must succeed. Every other run must return the
// statement's error instead of a regular result and, if whole is true, must change nothing. Queries whose names are
// in forgiven don't fail.
//
// The function must not execute statements concurrently.
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

// Expecting wraps the function so that an error with the given code counts as success.
func Expecting(code string, do func(ctx context.Context) error) func(ctx context.Context) error {
	return func(ctx context.Context) error {
		switch err := do(ctx); {
		case errs.HasCode(err, code):
			return nil
		case err == nil:
			return fmt.Errorf("did not fail with %s", code)
		default:
			return err
		}
	}
}

// AfterTheCommit lists queries whose failure doesn't affect the result: recording a secret's last use, and the
// publisher's queries, which are retried.
var AfterTheCommit = []string{"NoteSecretUse", "ConnectionHashes", "DeleteRevocation"}

// contents returns a string that changes whenever a commit has written a row.
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
