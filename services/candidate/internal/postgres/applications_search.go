package postgres

import (
	"context"
	"strings"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
)

// fewHits is how many hits are fetched and sorted to cut a page out of them. Of
// more, a page is met sooner on a walk through the job's applications.
const fewHits = 5000

// escapes takes from a text what it would mean in a pattern of LIKE.
var escapes = strings.NewReplacer(`\`, `\\`, `%`, `\%`, `_`, `\_`)

// search is List with a query. The total is counted from the hits: there can be
// no counters for texts that nobody has asked for yet.
func (s *Store) search(ctx context.Context, f application.Filter, p application.Page) (application.List, error) {
	pattern := "%" + escapes.Replace(f.Query) + "%"
	total, err := s.planned.CountHits(ctx, f.JobID, pattern, string(f.Status))
	if err != nil {
		return application.List{}, fault("count hits", err, nil)
	}
	list := application.List{Total: total}
	if p.Offset >= int64(total) {
		return list, nil
	}
	rows, err := s.hits(ctx, f, p, pattern, total)
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

func (s *Store) hits(ctx context.Context, f application.Filter, p application.Page, pattern string, total int32) ([]sqlc.LockApplicationRow, error) {
	var same []sqlc.LockApplicationRow
	if total <= fewHits {
		rows, err := s.planned.FewHits(ctx, sqlc.FewHitsParams{
			JobID: f.JobID, Pattern: pattern, Status: string(f.Status),
			MaxImage: application.MaxListedImage, Skip: p.Offset, Size: p.Size,
		})
		for _, row := range rows {
			same = append(same, sqlc.LockApplicationRow(row))
		}
		return same, err
	}
	rows, err := s.planned.ManyHits(ctx, sqlc.ManyHitsParams{
		JobID: f.JobID, Query: f.Query, Status: string(f.Status),
		MaxImage: application.MaxListedImage, Skip: p.Offset, Size: p.Size,
	})
	for _, row := range rows {
		same = append(same, sqlc.LockApplicationRow(row))
	}
	return same, err
}
