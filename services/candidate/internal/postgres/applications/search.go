package applications

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

// patience is the factor by which a walk may exceed the expected number of rows before it stops.
const patience = 4

// searching is a search in the applications to one job.
type searching struct {
	// q runs queries on one snapshot.
	q   *sqlc.Queries
	job sqlc.SearchedJobRow
	f   application.Filter
	// A search text is a hit if it matches pattern, which is a LIKE pattern that the index
	// supports, and contains whole. whole is empty if the pattern is sufficient.
	pattern, whole string
}

// search implements List for a filter with a query. It counts the hits, because there are no
// counters for search terms. It reads the job's number first, so that Postgres can plan the other
// queries according to this job's number of rows.
func (s *Store) search(ctx context.Context, f application.Filter, p application.Page) (list application.List, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.db.Pool, snapshot, func(tx pgx.Tx) error {
		w := searching{q: sqlc.New(plannedEachTime{tx}), f: f}
		if w.job, err = w.q.SearchedJob(ctx, f.JobID); err != nil {
			return err
		}
		list, err = w.first(ctx, application.Orders(f.Query), p)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) { // the job has no applications yet
		return application.List{}, nil
	}
	return list, database.ErrorOf("search", err, nil)
}

// first lists the hits of the first query that has any. At most three queries are tried, and one
// statement counts the hits of all of them.
func (w searching) first(ctx context.Context, queries []string, p application.Page) (application.List, error) {
	count := sqlc.CountHitsParams{Job: w.job.Number, Status: string(w.f.Status)}
	for _, query := range queries {
		pattern, whole := patternOf(query)
		count.Patterns, count.Wholes = append(count.Patterns, pattern), append(count.Wholes, whole)
	}
	counted, err := w.q.CountHits(ctx, count)
	if err != nil {
		return application.List{}, err
	}
	for i, total := range []int32{counted.First, counted.Second, counted.Third} {
		if total > 0 {
			w.f.Query, w.pattern, w.whole = queries[i], count.Patterns[i], count.Wholes[i]
			return w.list(ctx, p, total)
		}
	}
	return application.List{}, nil
}

func (w searching) list(ctx context.Context, p application.Page, total int32) (list application.List, err error) {
	list.Total = total
	wanted := min(int64(total)-p.Offset, int64(p.Size))
	if wanted <= 0 {
		return list, nil
	}
	page, err := w.find(ctx, p, int64(list.Total), wanted)
	if err != nil {
		return list, err
	}
	rows, err := w.q.Hits(ctx, sqlc.HitsParams{
		Job: w.job.Number, Query: w.f.Query, Status: string(w.f.Status),
		Found: page.applications, Newest: page.newest, Tied: page.tied, Size: wanted,
	})
	if err != nil {
		return list, err
	}
	for _, row := range rows {
		listed, err := listedFromRow(sqlc.LockApplicationRow(row))
		if err != nil {
			return list, err
		}
		list.Rows = append(list.Rows, listed)
	}
	return list, nil
}

// found is a page of hits that is sorted only by time. It contains all hits that have the same time
// as its last hit, but may lack some that have the same time as its first hit.
type found struct {
	applications []int64
	newest       time.Time
	// tied is the number of applications on the page whose time is newest.
	tied int64
}

func (f *found) add(application int64, at time.Time) {
	if len(f.applications) == 0 {
		f.newest = at
	}
	f.applications = append(f.applications, application)
	if at.Equal(f.newest) {
		f.tied++
	}
}

// find returns a page with the wanted number of rows. It walks through the newest applications if
// that is likely to be faster, and collects all hits if the walk does not find enough of them.
func (w searching) find(ctx context.Context, p application.Page, total, wanted int64) (found, error) {
	if reach, ok := reachOfWalk(p.Offset+wanted, total, int64(w.job.Applications)); ok {
		page, err := w.walk(ctx, p.Offset, wanted, reach)
		if err != nil || int64(len(page.applications)) >= wanted {
			return page, err
		}
	}
	var page found
	rows, err := w.q.CollectHits(ctx, sqlc.CollectHitsParams{
		Job: w.job.Number, Pattern: w.pattern, Whole: w.whole, Status: string(w.f.Status), Skip: p.Offset, Size: wanted,
	})
	for _, row := range rows {
		page.add(row.Application, row.AppliedAt)
	}
	return page, err
}

// reachOfWalk returns the maximum number of applications that a walk may read in order to reach the
// hit with the number last, and whether a walk is worthwhile. If the hits are evenly distributed,
// the walk reads last / total of the applications. Each step costs about as much as collecting and
// sorting one hit.
func reachOfWalk(last, total, applications int64) (reach int64, ok bool) {
	steps := last * applications / total
	return patience * (steps + 1), steps < total
}

// walk runs WalkHits with sorting disabled. The planner assumes that the walk reads as many rows as
// reach allows, and would otherwise sort them first.
func (w searching) walk(ctx context.Context, skip, size, reach int64) (page found, err error) {
	if err := w.q.SetSorting(ctx, "off"); err != nil {
		return page, err
	}
	rows, err := w.q.WalkHits(ctx, sqlc.WalkHitsParams{
		Job: w.job.Number, Query: w.f.Query, Status: string(w.f.Status), Reach: reach, Skip: skip, Size: size,
	})
	if err != nil {
		return page, err
	}
	for _, row := range rows {
		page.add(row.Application, row.AppliedAt)
	}
	return page, w.q.SetSorting(ctx, "on")
}

// escapes escapes the special characters of LIKE patterns.
var escapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// patternOf returns the pattern for the index. If the pattern is not sufficient, it also returns
// the whole query. The pattern omits the domain of an email address: most applications to a job may
// have the same domain, so its trigrams would match too many rows.
func patternOf(query string) (pattern, whole string) {
	local, domain, _ := strings.Cut(query, "@")
	if domain == "" || !hasTrigram(local) {
		return "%" + escapes.Replace(query) + "%", ""
	}
	return "%" + escapes.Replace(local) + "@%", query
}

// hasTrigram reports whether s contains three consecutive letters or digits.
func hasTrigram(s string) bool {
	together := 0
	for _, r := range s {
		if together++; !unicode.IsLetter(r) && !unicode.IsDigit(r) {
			together = 0
		}
		if together == 3 {
			return true
		}
	}
	return false
}

// plannedEachTime makes Postgres plan a statement for its parameters each time. Otherwise, a plan
// that is good for most search terms would also be used for a term that occurs in all applications,
// for which it is bad. The connection caches the statement's description, so a call still takes
// only one round trip.
type plannedEachTime struct{ sqlc.DBTX }

func (p plannedEachTime) Query(ctx context.Context, sql string, args ...any) (pgx.Rows, error) {
	return p.DBTX.Query(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}

func (p plannedEachTime) QueryRow(ctx context.Context, sql string, args ...any) pgx.Row {
	return p.DBTX.QueryRow(ctx, sql, append([]any{pgx.QueryExecModeCacheDescribe}, args...)...)
}
