// Package persondata stores exports of people's data, and deletes people's data.
package persondata

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/erasure"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/postgres/applications"
	"vitae.internal/services/candidate/internal/postgres/database"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/resume"
)

var (
	_ export.Store  = (*Store)(nil)
	_ erasure.Store = (*Store)(nil)
)

// Store stores exports and deletes people.
type Store struct{ db *database.DB }

// New returns a Store.
func New(db *database.DB) *Store { return &Store{db} }

func exportFromRow(row sqlc.Export) export.Export {
	e := export.Export{
		ID: row.ID, PersonID: row.PersonID, Language: row.Language, RequestedAt: row.RequestedAt.UTC(), State: export.State(row.State),
		Attempts: int(row.Attempts), Done: int(row.Done), Steps: int(row.Steps), Size: row.Size, Announced: row.Announced,
	}
	if row.ExpiresAt != nil {
		e.ExpiresAt = row.ExpiresAt.UTC()
	}
	return e
}

func (s *Store) Exports(ctx context.Context, personID string, since time.Time) ([]export.Export, error) {
	rows, err := s.db.Queries.ExportsSince(ctx, sqlc.ExportsSinceParams{PersonID: personID, Since: since})
	all := make([]export.Export, len(rows))
	for i, row := range rows {
		all[i] = exportFromRow(row.Export)
	}
	return all, database.ErrorOf("read exports", err, nil)
}

func (s *Store) AddExport(ctx context.Context, e export.Export) (added bool, err error) {
	err = s.db.InTransaction(ctx, "add export", func(t database.Transaction) error {
		n, err := t.Queries.AddExport(ctx, sqlc.AddExportParams{ID: e.ID, PersonID: e.PersonID, Language: e.Language, RequestedAt: e.RequestedAt})
		if added = n > 0; err != nil || !added {
			return err
		}
		return t.Queries.ReplaceExports(ctx, sqlc.ReplaceExportsParams{PersonID: e.PersonID, At: e.RequestedAt})
	})
	return added, err
}

func (s *Store) LeaseExport(ctx context.Context, now, until time.Time) ([]export.Export, error) {
	rows, err := s.db.Queries.LeaseExport(ctx, sqlc.LeaseExportParams{At: now, Until: until})
	all := make([]export.Export, len(rows))
	for i, row := range rows {
		all[i] = exportFromRow(row.Export)
	}
	return all, database.ErrorOf("lease export", err, nil)
}

func (s *Store) StepExport(ctx context.Context, e export.Export, until time.Time) (bool, error) {
	n, err := s.db.Queries.StepExport(ctx, sqlc.StepExportParams{
		ID: e.ID, Attempts: int32(e.Attempts), Done: int32(e.Done), Steps: int32(e.Steps), Until: until,
	})
	return n > 0, database.ErrorOf("step export", err, nil)
}

func (s *Store) FinishExport(ctx context.Context, e export.Export, now time.Time) (bool, error) {
	n, err := s.db.Queries.FinishExport(ctx, sqlc.FinishExportParams{
		ID: e.ID, Attempts: int32(e.Attempts), Size: e.Size, ExpiresAt: e.ExpiresAt, At: now,
	})
	return n > 0, database.ErrorOf("finish export", err, nil)
}

func (s *Store) MoveExport(ctx context.Context, e export.Export, at time.Time) error {
	return database.ErrorOf("move export", s.db.Queries.MoveExport(ctx, sqlc.MoveExportParams{
		ID: e.ID, Attempts: int32(e.Attempts), State: string(e.State), DueAt: at, Announced: e.Announced,
	}), nil)
}

func (s *Store) DeleteExport(ctx context.Context, id string) error {
	return database.ErrorOf("delete export", s.db.Queries.DeleteExport(ctx, id), nil)
}

func (s *Store) ApplicationsOf(ctx context.Context, personID, afterJob string, atMost int) ([]export.Submitted, error) {
	rows, err := s.db.Queries.ApplicationsOf(ctx, sqlc.ApplicationsOfParams{PersonID: personID, After: afterJob, AtMost: int32(atMost)})
	if err != nil {
		return nil, database.ErrorOf("read applications of a person", err, nil)
	}
	all := make([]export.Submitted, len(rows))
	for i, row := range rows {
		if all[i], err = submittedFromRow(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func submittedFromRow(row sqlc.ApplicationsOfRow) (export.Submitted, error) {
	a, err := applications.FromRow(row.Application)
	if err != nil {
		return export.Submitted{}, err
	}
	out := export.Submitted{Application: a, CoverLetter: row.CoverLetter}
	if row.CvContent != nil && a.Cv != nil {
		content, err := cv.Decode(row.CvContent)
		if err != nil {
			return export.Submitted{}, err
		}
		out.Frozen = &application.FrozenCv{CvReference: *a.Cv, CreatedAt: row.CvCreatedAt.UTC(), Content: content}
	}
	if row.ResumeID != nil {
		out.Resume = &resume.Resume{
			ID: *row.ResumeID, PersonID: a.PersonID, Filename: *row.Filename, ContentType: *row.ContentType,
			Size: int(*row.Size), Key: *row.BlobKey, Ready: true, CreatedAt: row.ResumeCreatedAt.UTC(),
		}
	}
	return out, nil
}
