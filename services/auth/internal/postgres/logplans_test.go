package postgres_test

import (
	"context"
	"testing"

	"github.com/jackc/pgx/v5/pgxpool"

	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/services/auth/internal/authtest"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/usage"
)

const (
	// fewADay and manyADay are the requests a day of two accounts that are alike otherwise.
	fewADay, manyADay = 500, 5000
	// pageBlocks is how many blocks of the log, its indexes and what is kept beside it a page
	// of fifty reads at most. A day of the larger account has three times as many requests.
	pageBlocks = 1500
)

// reader is a store with one connection, whose reads it counts.
type reader struct {
	*authtest.World
	pool  *pgxpool.Pool
	store *postgres.Store
	// counted are the tables and indexes whose blocks are counted.
	counted []uint32
}

func newReader(w *authtest.World) reader {
	w.Helper()
	pool, err := pkgpostgres.Open(w.Context(), pkgpostgres.Config{URL: w.Pool.Config().ConnString(), MaxConns: 1})
	w.Must(err)
	w.Cleanup(pool.Close)
	store, err := postgres.New(pool)
	w.Must(err)
	r := reader{World: w, pool: pool, store: store}
	w.Must(pool.QueryRow(w.Context(), ofTheLog).Scan(&r.counted))
	return r
}

// alone keeps Postgres from reading what the reader counts. It comes before the log is filled.
func (r reader) alone() {
	r.Helper()
	for _, table := range names(r.World, `SELECT inhrelid::regclass::text FROM pg_inherits WHERE inhparent = 'request_log'::regclass
		UNION SELECT unnest(ARRAY['request_facets', 'request_facet_days'])`) {
		_, err := r.pool.Exec(r.Context(), "ALTER TABLE "+table+" SET (autovacuum_enabled = off)")
		r.Must(err)
	}
}

// ofTheLog finds the tables and indexes of the log and of what is kept beside it. Their number
// does not change while a reader counts.
const ofTheLog = `SELECT array_agg(c.oid) FROM pg_class c LEFT JOIN pg_index i ON i.indexrelid = c.oid
	WHERE coalesce(i.indrelid, c.oid) IN (SELECT oid FROM pg_class WHERE relname LIKE 'request\_%' AND relkind = 'r')`

// count is how many blocks were read so far. Postgres adds up what a connection has read when
// it is asked to.
func (r reader) count() (blocks int64) {
	r.Helper()
	_, err := r.pool.Exec(r.Context(), "SELECT pg_stat_force_next_flush()")
	r.Must(err)
	r.Must(r.pool.QueryRow(r.Context(), "SELECT sum(pg_stat_get_blocks_fetched(o))::bigint FROM unnest($1::oid[]) o", r.counted).Scan(&blocks))
	return blocks
}

// blocks is how many blocks are read for a page, and for the page after it.
func (r reader) blocks(q usage.Query) (first, next int64) {
	r.Helper()
	var found []usage.Entry
	read := func() int64 {
		before := r.count()
		var err error
		found, err = r.store.Requests(context.Background(), q)
		r.Must(err)
		return r.count() - before
	}
	read() // the first call makes plans
	first = read()
	if len(found) == q.AtMost {
		last := found[len(found)-1]
		q.After = usage.Position{At: last.At, RequestID: last.RequestID}
		next = read()
	}
	return first, next
}

// A page of every filter and of every pair reads no more than so many blocks, also of an
// account with ten times the requests. That holds for a log that Postgres has no statistics
// of, as on a day's morning, and for one that it has.
func TestAPageReadsABoundedPartOfTheLog(t *testing.T) {
	t.Parallel()
	w := authtest.New(t)
	few, many := w.Confidential().AccountID, w.Confidential().AccountID
	first := usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1-logDays)
	w.Must(w.Store.MakePartitions(t.Context(), first, usage.DayOf(w.Clock.Now()).AddDate(0, 0, 1)))
	r := newReader(w)
	r.alone()
	fillLog(w, r.pool, few, first, fewADay)
	fillLog(w, r.pool, many, first, manyADay)
	for _, statistics := range []string{"without", "with"} {
		if statistics == "with" {
			_, err := r.pool.Exec(t.Context(), "VACUUM (ANALYZE) request_log, request_facets, request_facet_days")
			w.Must(err)
		}
		most := map[string]int64{}
		for name, f := range pairs(logFilters(first)) {
			for _, account := range []string{few, many} {
				page, next := r.blocks(queryOf(account, first, f, 50))
				most[account] = max(most[account], page, next)
				if page > pageBlocks || next > pageBlocks {
					t.Errorf("%s, %s statistics: the first page reads %d blocks, the next %d, want at most %d", name, statistics, page, next, pageBlocks)
				}
			}
		}
		t.Logf("%s statistics: at most %d blocks of the smaller log, %d of the larger", statistics, most[few], most[many])
		if most[many] > 2*most[few] {
			t.Errorf("%s statistics: a page reads up to %d blocks of the smaller log, and %d of the larger", statistics, most[few], most[many])
		}
	}
}
