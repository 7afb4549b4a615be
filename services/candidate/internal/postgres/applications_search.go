package postgres

import (
	"context"
	"strings"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

// patience is how many times the rows that a walk should have to pass it may pass.
const patience = 4

// escapes takes from a text what it would mean in a pattern of LIKE.
var escapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// search is List with a query. The total is counted from the hits: there can be
// no counters for texts that nobody has asked for yet.
func (s *Store) search(ctx context.Context, f application.Filter, p application.Page) (application.List, error) {
	pattern := "%" + escapes.Replace(f.Query) + "%"
	count, err := s.planned.CountHits(ctx, f.JobID, string(f.Status), pattern)
	if err != nil {
		return application.List{}, fault("count hits", err, nil)
	}
	list := application.List{Total: count.Total}
	wanted := min(int64(count.Total)-p.Offset, int64(p.Size))
	if wanted <= 0 {
		return list, nil
	}
	rows, err := s.hits(ctx, f, p, pattern, count, wanted)
	if err != nil {
		return application.List{}, fault("list hits", err, nil)
	}
	for _, row := range rows {
		listed, err := listedOf(row)
		if err != nil {
			return application.List{}, err
		}
		list.Rows = append(list.Rows, listed)
	}
	return list, nil
}

// hits reads a page with so many rows, the quicker way. With hits spread evenly
// over the list, a walk from its start passes (offset + wanted) / total of it, and
// a step costs about as much as a hit that is collected and put in order. Where
// they are not, the walk ends early and all hits are collected after all.
func (s *Store) hits(ctx context.Context, f application.Filter, p application.Page, pattern string, count sqlc.CountHitsRow, wanted int64) ([]sqlc.LockApplicationRow, error) {
	total := int64(count.Total)
	steps := (p.Offset + wanted) * int64(count.Searched) / total
	if steps < total {
		rows, err := s.planned.WalkHits(ctx, sqlc.WalkHitsParams{
			JobID: f.JobID, Query: f.Query, Status: string(f.Status), Reach: patience * (steps + 1),
			MaxImage: application.MaxListedImage, Skip: p.Offset, Size: p.Size,
		})
		if err != nil || int64(len(rows)) >= wanted {
			return sameRows(rows), err
		}
	}
	rows, err := s.planned.CollectHits(ctx, sqlc.CollectHitsParams{
		JobID: f.JobID, Pattern: pattern, Status: string(f.Status),
		MaxImage: application.MaxListedImage, Skip: p.Offset, Size: p.Size,
	})
	return sameRows(rows), err
}

// sameRows gives the rows of a query as those of LockApplication, which have the
// same columns.
func sameRows[Row sqlc.WalkHitsRow | sqlc.CollectHitsRow](rows []Row) []sqlc.LockApplicationRow {
	same := make([]sqlc.LockApplicationRow, len(rows))
	for i, row := range rows {
		same[i] = sqlc.LockApplicationRow(row)
	}
	return same
}
