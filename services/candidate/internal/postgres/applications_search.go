package postgres

import (
	"context"
	"errors"
	"strings"
	"time"
	"unicode"

	"github.com/jackc/pgx/v5"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

// patience is how many times more rows than expected a walk may pass before it gives up.
const patience = 4

// searching is a search within a job.
type searching struct {
	// q has the queries on one snapshot, planned each time for their own parameters.
	q   *sqlc.Queries
	job sqlc.SearchedJobRow
	f   application.Filter
	// A text matches f.Query if it matches pattern and contains whole. pattern is for LIKE,
	// which the index serves. whole is empty if the pattern says everything.
	pattern, whole string
}

// search is List with a query. The total is counted from the hits, because nobody can
// keep counters for texts before they are asked for. The job's number is read first, so
// that Postgres plans the other queries for the number of rows of this job.
func (s *Store) search(ctx context.Context, f application.Filter, p application.Page) (list application.List, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.pool, snapshot, func(tx pgx.Tx) error {
		w := searching{q: sqlc.New(plannedEachTime{tx}), f: f}
		if w.job, err = w.q.SearchedJob(ctx, f.JobID); err != nil {
			return err
		}
		list, err = w.first(ctx, application.Orders(f.Query), p)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) { // nobody applied for the job yet
		return application.List{}, nil
	}
	return list, errorOf("search", err, nil)
}

// first lists the hits of the first of up to three queries that has any. One statement
// counts them.
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

// found is a page of hits in the order of their times alone. Hits of the same time have
// no order yet, so the page has all hits of the time of its last one, and may lack some
// of the time of its first one.
type found struct {
	applications []int64
	newest       time.Time
	// tied is the number of applications that were made at newest.
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

// find finds a page with the wanted number of rows. It walks through the newest
// applications if that is likely to be quicker. If the walk does not meet enough hits
// within its reach, find collects all hits instead.
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

// reachOfWalk gives how many of a job's applications a walk to the hit number last may
// pass, and whether to walk at all. If the hits are spread evenly, the walk passes
// last / total of the applications. A step of it costs about as much as collecting and
// sorting one hit.
func reachOfWalk(last, total, applications int64) (reach int64, ok bool) {
	steps := last * applications / total
	return patience * (steps + 1), steps < total
}

// walk runs WalkHits without sorting. The planner assumes that a walk goes as far as its
// reach, and would sort all of these rows first.
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

// escapes makes LIKE take every character of a text literally.
var escapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// patternOf gives the pattern by which the index finds a query, and the whole query if
// the pattern does not say everything. The pattern leaves out the domain of an e-mail
// address: most applications of a job may share it, and reading all that have its
// trigrams takes longer than comparing those that have the local part.
func patternOf(query string) (pattern, whole string) {
	local, domain, _ := strings.Cut(query, "@")
	if domain == "" || !hasTrigram(local) {
		return "%" + escapes.Replace(query) + "%", ""
	}
	return "%" + escapes.Replace(local) + "@%", query
}

// hasTrigram reports whether three letters or digits stand together in s.
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
