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

// patience is how many times the rows that a walk should have to pass it may pass.
const patience = 4

// searching is a query within a job.
type searching struct {
	// tx is the snapshot that it reads, and q its queries, planned each time for
	// their own parameters.
	tx  pgx.Tx
	q   *sqlc.Queries
	job sqlc.SearchedJobRow
	f   application.Filter
	// pattern and whole say together what f.Query says: the first is of LIKE, for
	// the index, and the second is empty when nothing is left to look for.
	pattern, whole string
}

// search is List with a query. The total is counted from the hits: there can be
// no counters for texts that nobody has asked for yet. The job's number is asked
// for by itself, so that Postgres plans the others with how much there is of it.
func (s *Store) search(ctx context.Context, f application.Filter, p application.Page) (list application.List, err error) {
	snapshot := pgx.TxOptions{IsoLevel: pgx.RepeatableRead, AccessMode: pgx.ReadOnly}
	err = pgx.BeginTxFunc(ctx, s.pool, snapshot, func(tx pgx.Tx) error {
		w := searching{tx: tx, q: sqlc.New(plannedEachTime{tx}), f: f}
		if w.job, err = w.q.SearchedJob(ctx, f.JobID); err != nil {
			return err
		}
		w.pattern, w.whole = patternOf(f.Query)
		list, err = w.list(ctx, p)
		return err
	})
	if errors.Is(err, pgx.ErrNoRows) { // nobody applied for the job yet
		return application.List{}, nil
	}
	return list, errorOf("search", err, nil)
}

func (w searching) list(ctx context.Context, p application.Page) (list application.List, err error) {
	list.Total, err = w.q.CountHits(ctx, sqlc.CountHitsParams{
		Job: w.job.Number, Pattern: w.pattern, Whole: w.whole, Status: string(w.f.Status),
	})
	wanted := min(int64(list.Total)-p.Offset, int64(p.Size))
	if err != nil || wanted <= 0 {
		return list, err
	}
	page, err := w.find(ctx, p, int64(list.Total), wanted)
	if err != nil {
		return list, err
	}
	rows, err := w.q.Hits(ctx, sqlc.HitsParams{
		Job: w.job.Number, Query: w.f.Query, Status: string(w.f.Status), MaxImage: application.MaxListedImage,
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

// found is a page of hits by the times of applications alone: with all that were
// made when its last one was, and not the first of those made when its first was.
type found struct {
	applications []int64
	newest       time.Time
	// tied is how many were made at newest.
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

// find finds a page with so many rows, the quicker way. A walk that passes as much
// as it may without having met them leaves them to be collected.
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

// reachOfWalk gives how many of a job's applications a walk to the last of so many
// of its hits may pass, and whether to walk at all. With hits spread evenly it
// passes last / total of the applications, and a step costs about as much as a hit
// that is collected and put in order.
func reachOfWalk(last, total, applications int64) (reach int64, ok bool) {
	steps := last * applications / total
	return patience * (steps + 1), steps < total
}

// walk is WalkHits. A walk that may reach far looks to the planner as if it did,
// and would begin by sorting all that it may pass.
func (w searching) walk(ctx context.Context, skip, size, reach int64) (page found, err error) {
	if _, err := w.tx.Exec(ctx, "SET LOCAL enable_sort = off"); err != nil {
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
	_, err = w.tx.Exec(ctx, "SET LOCAL enable_sort = on")
	return page, err
}

// escapes takes from a text what it would mean in a pattern of LIKE.
var escapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// patternOf gives the pattern by which the index finds a query, and the query
// again when it says more. The index is not asked for the domain of an e-mail
// address, which most of a job's applications may share: to read all that have its
// trigrams takes longer than to look at those that have the local part.
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
