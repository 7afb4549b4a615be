package postgres

import (
	"time"

	"vitae.internal/services/partnercatalog/internal/job"
	"vitae.internal/services/partnercatalog/internal/postgres/sqlc"
)

// rowFromJob returns the columns of a new job, except the app and the key.
func rowFromJob(j job.Job) (sqlc.CreateJobParams, error) {
	questions, err := job.EncodeQuestions(j.Questions)
	if err != nil {
		return sqlc.CreateJobParams{}, err
	}
	p := sqlc.CreateJobParams{
		ID:                   j.ID,
		CompanyID:            j.CompanyID,
		Status:               string(j.Status),
		Title:                j.Basics.Title,
		Department:           j.Basics.Department,
		Country:              j.Basics.Country,
		City:                 j.Basics.City,
		WorkMode:             string(j.Basics.WorkMode),
		Employment:           j.Basics.Employment,
		Seniority:            j.Basics.Seniority,
		Summary:              j.Content.Summary,
		Responsibilities:     orEmpty(j.Content.Responsibilities),
		Requirements:         orEmpty(j.Content.Requirements),
		NiceToHave:           orEmpty(j.Content.NiceToHave),
		Benefits:             orEmpty(j.Content.Benefits),
		Questions:            questions,
		Distribution:         string(j.Distribution),
		UnmaskedDistribution: string(j.UnmaskedDistribution),
		PostedAt:             j.PostedAt,
		CreatedAt:            j.CreatedAt,
	}
	if c := j.Compensation; c != nil {
		p.SalaryMin, p.SalaryMax, p.SalaryCurrency, p.SalaryPeriod, p.SalaryVisible = c.Min, c.Max, c.Currency, c.Period, c.Visible
	}
	if e := j.Eligibility; e != nil {
		p.CandidateLocation, p.ExperienceYears, p.Language, p.WorkEligibility = e.CandidateLocation, e.ExperienceYears, e.Language, e.WorkEligibility
	}
	if w := j.Programme; w != nil {
		p.Programme, p.ProgrammeNote, p.ProgrammeAccepted = string(w.Value), w.Note, w.Acknowledged
	}
	if c := j.Confidential; c != nil {
		p.Confidential, p.PublicLabel = &c.Enabled, c.PublicLabel
	}
	return p, nil
}

// editFromJob returns the columns that an edit can change.
func editFromJob(j job.Job) (sqlc.EditJobParams, error) {
	p, err := rowFromJob(j)
	return sqlc.EditJobParams{
		ID:                   p.ID,
		Title:                p.Title,
		Department:           p.Department,
		Country:              p.Country,
		City:                 p.City,
		WorkMode:             p.WorkMode,
		Employment:           p.Employment,
		Seniority:            p.Seniority,
		Summary:              p.Summary,
		Responsibilities:     p.Responsibilities,
		Requirements:         p.Requirements,
		NiceToHave:           p.NiceToHave,
		Benefits:             p.Benefits,
		SalaryMin:            p.SalaryMin,
		SalaryMax:            p.SalaryMax,
		SalaryCurrency:       p.SalaryCurrency,
		SalaryPeriod:         p.SalaryPeriod,
		SalaryVisible:        p.SalaryVisible,
		CandidateLocation:    p.CandidateLocation,
		ExperienceYears:      p.ExperienceYears,
		Language:             p.Language,
		WorkEligibility:      p.WorkEligibility,
		Programme:            p.Programme,
		ProgrammeNote:        p.ProgrammeNote,
		ProgrammeAccepted:    p.ProgrammeAccepted,
		Questions:            p.Questions,
		Distribution:         p.Distribution,
		UnmaskedDistribution: p.UnmaskedDistribution,
		Confidential:         p.Confidential,
		PublicLabel:          p.PublicLabel,
		UpdatedAt:            j.UpdatedAt,
	}, err
}

func jobFromRow(row sqlc.Job) (job.Job, error) {
	questions, err := job.DecodeQuestions(row.Questions)
	if err != nil {
		return job.Job{}, err
	}
	j := job.Job{
		ID:        row.ID,
		CompanyID: row.CompanyID,
		Status:    job.Status(row.Status),
		Sections: job.Sections{
			Basics: job.Basics{
				Title:      row.Title,
				Department: row.Department,
				Country:    row.Country,
				City:       row.City,
				WorkMode:   job.WorkMode(row.WorkMode),
				Employment: row.Employment,
				Seniority:  row.Seniority,
			},
			Content: job.Content{
				Summary:          row.Summary,
				Responsibilities: row.Responsibilities,
				Requirements:     row.Requirements,
				NiceToHave:       row.NiceToHave,
				Benefits:         row.Benefits,
			},
			Questions:            questions,
			Distribution:         job.Distribution(row.Distribution),
			UnmaskedDistribution: job.Distribution(row.UnmaskedDistribution),
		},
		Applications: row.ApplicationCount,
		CreatedAt:    row.CreatedAt.UTC(),
		UpdatedAt:    row.UpdatedAt.UTC(),
	}
	if row.PostedAt != nil {
		at := row.PostedAt.In(time.UTC)
		j.PostedAt = &at
	}
	addOptional(&j.Sections, row)
	return j, nil
}

// addOptional adds the optional sections of a row.
func addOptional(s *job.Sections, row sqlc.Job) {
	if row.SalaryPeriod != "" {
		s.Compensation = &job.Compensation{
			Min: row.SalaryMin, Max: row.SalaryMax, Currency: job.CurrencyCode(row.SalaryCurrency), Period: row.SalaryPeriod, Visible: row.SalaryVisible,
		}
	}
	if row.CandidateLocation != "" {
		s.Eligibility = &job.Eligibility{
			CandidateLocation: row.CandidateLocation, ExperienceYears: row.ExperienceYears,
			Language: row.Language, WorkEligibility: row.WorkEligibility,
		}
	}
	if row.Programme != "" {
		s.Programme = &job.WorkforceProgramme{Value: job.Programme(row.Programme), Note: row.ProgrammeNote, Acknowledged: row.ProgrammeAccepted}
	}
	if row.Confidential != nil {
		s.Confidential = &job.Confidentiality{Enabled: *row.Confidential, PublicLabel: row.PublicLabel}
	}
}

// orEmpty returns an empty slice instead of nil, because pgx encodes nil as NULL.
func orEmpty(list []string) []string {
	if list == nil {
		return []string{}
	}
	return list
}
