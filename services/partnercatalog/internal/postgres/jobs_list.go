package postgres

import (
	"context"

	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/job"
	"vitae.internal/services/partnercatalog/internal/postgres/sqlc"
)

// nearby is the maximum offset that a query skips in the index. For pages further down, job_counts
// provides a starting point.
const nearby = 1000

func (s *Store) Jobs(ctx context.Context, q job.Query) (job.Page, error) {
	if q.Skip == 0 {
		page, err := s.firstJobs(ctx, q)
		if err != nil || len(page.Jobs) > 0 {
			return page, err
		}
	}
	found, err := findJobs(ctx, s.q, q)
	if err != nil {
		return job.Page{}, errorOf("find jobs", err, nil)
	}
	if !found.Managed {
		return job.Page{}, company.ErrNotManaged
	}
	page := job.Page{Total: found.Total}
	if q.Skip >= int64(found.Total) {
		return page, nil
	}
	within := sqlc.JobsInStatusParams{CompanyID: q.CompanyID, Skip: q.Skip, Size: int64(q.Size)}
	if q.Status != nil {
		within.Status = string(*q.Status)
	}
	if q.Skip > nearby {
		within.Before, within.Skip = &found.Stop, q.Skip-found.Newer
	}
	page.Jobs, err = s.jobsWithin(ctx, within)
	return page, err
}

// firstJobs returns the first page, which is the most common request, with a single statement. The
// page is empty if the list is empty or the app does not manage the company.
func (s *Store) firstJobs(ctx context.Context, q job.Query) (job.Page, error) {
	rows, err := firstRows(ctx, s.q, q)
	if err != nil {
		return job.Page{}, errorOf("list the first jobs", err, nil)
	}
	page := job.Page{Jobs: make([]job.Job, len(rows))}
	for i, row := range rows {
		page.Total = row.Total
		if page.Jobs[i], err = jobFromRow(row.Job); err != nil {
			return job.Page{}, err
		}
	}
	return page, nil
}

func firstRows(ctx context.Context, db *sqlc.Queries, q job.Query) ([]sqlc.FirstJobsOfCompanyRow, error) {
	if q.Status == nil {
		return db.FirstJobsOfCompany(ctx, sqlc.FirstJobsOfCompanyParams{
			CompanyID: q.CompanyID, AppID: q.AppID, Statuses: words(q.Statuses()), Size: int64(q.Size),
		})
	}
	found, err := db.FirstJobsInStatus(ctx, sqlc.FirstJobsInStatusParams{
		CompanyID: q.CompanyID, AppID: q.AppID, Status: string(*q.Status), Size: int64(q.Size),
	})
	rows := make([]sqlc.FirstJobsOfCompanyRow, len(found))
	for i, row := range found {
		rows[i] = sqlc.FirstJobsOfCompanyRow(row)
	}
	return rows, err
}

// findJobs counts the jobs that match the query, and locates the page if it is far down the list. A
// single statement for both would double the cost of nearby pages.
func findJobs(ctx context.Context, db *sqlc.Queries, q job.Query) (sqlc.FindJobsRow, error) {
	statuses := words(q.Statuses())
	if q.Skip > nearby {
		return db.FindJobs(ctx, sqlc.FindJobsParams{CompanyID: q.CompanyID, AppID: q.AppID, Statuses: statuses, Skip: q.Skip})
	}
	counted, err := db.CountJobs(ctx, sqlc.CountJobsParams{CompanyID: q.CompanyID, AppID: q.AppID, Statuses: statuses})
	return sqlc.FindJobsRow{Managed: counted.Managed, Total: counted.Total}, err
}

// jobsWithin returns jobs with p.Status, or all jobs except archived ones if it is empty.
func (s *Store) jobsWithin(ctx context.Context, p sqlc.JobsInStatusParams) ([]job.Job, error) {
	rows, err := rowsWithin(ctx, s.q, p)
	if err != nil {
		return nil, errorOf("list jobs", err, nil)
	}
	jobs := make([]job.Job, len(rows))
	for i, row := range rows {
		if jobs[i], err = jobFromRow(row); err != nil {
			return nil, err
		}
	}
	return jobs, nil
}

func rowsWithin(ctx context.Context, db *sqlc.Queries, p sqlc.JobsInStatusParams) (rows []sqlc.Job, err error) {
	if p.Status == "" {
		found, err := db.JobsOfCompany(ctx, sqlc.JobsOfCompanyParams{CompanyID: p.CompanyID, Before: p.Before, Skip: p.Skip, Size: p.Size})
		for _, row := range found {
			rows = append(rows, row.Job)
		}
		return rows, err
	}
	found, err := db.JobsInStatus(ctx, p)
	for _, row := range found {
		rows = append(rows, row.Job)
	}
	return rows, err
}

func words(statuses []job.Status) []string {
	words := make([]string, len(statuses))
	for i, s := range statuses {
		words[i] = string(s)
	}
	return words
}

func (s *Store) Headings(ctx context.Context, jobIDs []string) ([]job.Heading, error) {
	rows, err := s.q.JobHeadings(ctx, jobIDs)
	headings := make([]job.Heading, len(rows))
	for i, row := range rows {
		headings[i] = job.Heading{JobID: row.ID, Title: row.Title, Employer: row.Employer, Masked: row.Masked}
	}
	return headings, errorOf("read headings of jobs", err, nil)
}
