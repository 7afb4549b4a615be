package postgres

import (
	"context"
	"time"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/export"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/resume"
)

var _ export.Store = (*Store)(nil)

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
	rows, err := s.q.ExportsSince(ctx, sqlc.ExportsSinceParams{PersonID: personID, Since: since})
	all := make([]export.Export, len(rows))
	for i, row := range rows {
		all[i] = exportFromRow(row.Export)
	}
	return all, errorOf("read exports", err, nil)
}

func (s *Store) AddExport(ctx context.Context, e export.Export) (added bool, err error) {
	err = s.tx(ctx, "add export", func(t transaction) error {
		n, err := t.Queries.AddExport(ctx, sqlc.AddExportParams{ID: e.ID, PersonID: e.PersonID, Language: e.Language, RequestedAt: e.RequestedAt})
		if added = n > 0; err != nil || !added {
			return err
		}
		return t.Queries.ReplaceExports(ctx, sqlc.ReplaceExportsParams{PersonID: e.PersonID, At: e.RequestedAt})
	})
	return added, err
}

func (s *Store) LeaseExport(ctx context.Context, now, until time.Time) ([]export.Export, error) {
	rows, err := s.q.LeaseExport(ctx, sqlc.LeaseExportParams{At: now, Until: until})
	all := make([]export.Export, len(rows))
	for i, row := range rows {
		all[i] = exportFromRow(row.Export)
	}
	return all, errorOf("lease export", err, nil)
}

func (s *Store) StepExport(ctx context.Context, e export.Export, until time.Time) (bool, error) {
	n, err := s.q.StepExport(ctx, sqlc.StepExportParams{
		ID: e.ID, Attempts: int32(e.Attempts), Done: int32(e.Done), Steps: int32(e.Steps), Until: until,
	})
	return n > 0, errorOf("step export", err, nil)
}

func (s *Store) FinishExport(ctx context.Context, e export.Export, now time.Time) (bool, error) {
	n, err := s.q.FinishExport(ctx, sqlc.FinishExportParams{
		ID: e.ID, Attempts: int32(e.Attempts), Size: e.Size, ExpiresAt: e.ExpiresAt, At: now,
	})
	return n > 0, errorOf("finish export", err, nil)
}

func (s *Store) MoveExport(ctx context.Context, e export.Export, at time.Time) error {
	return errorOf("move export", s.q.MoveExport(ctx, sqlc.MoveExportParams{
		ID: e.ID, Attempts: int32(e.Attempts), State: string(e.State), DueAt: at, Announced: e.Announced,
	}), nil)
}

func (s *Store) DeleteExport(ctx context.Context, id string) error {
	return errorOf("delete export", s.q.DeleteExport(ctx, id), nil)
}

func (s *Store) CvsOf(ctx context.Context, personID string) ([]profile.Cv, error) {
	rows, err := s.q.CvsOf(ctx, personID)
	if err != nil {
		return nil, errorOf("read CVs of a person", err, nil)
	}
	all := make([]profile.Cv, len(rows))
	for i, row := range rows {
		if all[i], err = cvFromRow(row); err != nil {
			return nil, err
		}
	}
	return all, nil
}

func (s *Store) ApplicationsOf(ctx context.Context, personID, afterJob string, atMost int) ([]export.Submitted, error) {
	rows, err := s.q.ApplicationsOf(ctx, sqlc.ApplicationsOfParams{PersonID: personID, After: afterJob, AtMost: int32(atMost)})
	if err != nil {
		return nil, errorOf("read applications of a person", err, nil)
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
	a, err := applicationFromRow(row.Application)
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
