package applications

import (
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/postgres/sqlc"
	"vitae.internal/services/candidate/internal/profile"
)

// listedFromRow converts a row to an application in the form that lists show.
func listedFromRow(row sqlc.LockApplicationRow) (application.Row, error) {
	a, err := FromRow(row.Application)
	if err != nil {
		return application.Row{}, err
	}
	candidate := application.Candidate{
		PersonID: a.PersonID, Name: row.Name, Username: row.Username,
		Email: row.Email, Headline: row.Headline, HasPhoto: row.HasPhoto,
	}
	return application.Row{Application: a, Candidate: candidate}, nil
}

// FromRow converts a row to an application.
func FromRow(row sqlc.Application) (application.Application, error) {
	answers, err := application.DecodeAnswers(row.Answers)
	if err != nil {
		return application.Application{}, err
	}
	a := application.Application{
		ID:        row.ID,
		JobID:     row.JobID,
		CompanyID: row.CompanyID,
		AppID:     row.AppID,
		PersonID:  row.PersonID,
		Status:    application.Status(row.Status),
		AppliedAt: row.AppliedAt.UTC(),
		UpdatedAt: row.UpdatedAt.UTC(),
		Source:    application.Source(row.Source),
		Answers:   answers,
		History:   make([]application.Change, len(row.HistoryStatus)),
	}
	for i, status := range row.HistoryStatus {
		a.History[i] = application.Change{Status: application.Status(status), At: row.HistoryAt[i].UTC()}
	}
	if row.CvID != nil {
		a.Cv = &profile.CvReference{ID: *row.CvID, Title: *row.CvTitle, UpdatedAt: row.CvUpdatedAt.UTC()}
	}
	return a, nil
}
