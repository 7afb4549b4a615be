package applicant

import (
	"context"
	"errors"

	"vitae.internal/pkg/fault"
)

// pageSize is how many applications a page has. Partnercatalog and auth take as many ids in
// one call.
const pageSize = 25

// Store reads applications.
type Store interface {
	// ByPerson gives up to limit applications of a person, newest first: those that stand after
	// the application of the same person with the id after, or the newest if that is empty.
	ByPerson(ctx context.Context, personID, after string, limit int32) ([]Made, error)
}

// Jobs names jobs. Service partnercatalog implements it.
type Jobs interface {
	// Headings gives the headings of jobs by id, without those that are gone.
	// Errors: Unavailable if the catalog cannot be reached.
	Headings(ctx context.Context, jobIDs []string) (map[string]Heading, error)
}

// Reads counts who looked at applications. Service auth implements it.
type Reads interface {
	// Reads gives the reads of applications by id, newest day first.
	// Errors: Unavailable if auth cannot be reached.
	Reads(ctx context.Context, applicationIDs []string) (map[string][]Read, error)
}

// Config is what a Service needs. All fields are required.
type Config struct {
	Store Store
	Jobs  Jobs
	Reads Reads
}

// Service is the use case.
type Service struct {
	store Store
	jobs  Jobs
	reads Reads
}

// NewService makes the use case.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Jobs == nil || c.Reads == nil {
		return nil, errors.New("applicant: Store, Jobs and Reads are required")
	}
	return &Service{store: c.Store, jobs: c.Jobs, reads: c.Reads}, nil
}

// List gives a page of a person's applications: the first one, or the one that begins at
// after, the Next of the page before. An after that is no place in the person's list gives an
// empty page.
func (s *Service) List(ctx context.Context, personID, after string) (Page, error) {
	if !fault.IsStorable(personID) || !fault.IsStorable(after) {
		return Page{}, nil
	}
	made, err := s.store.ByPerson(ctx, personID, after, pageSize+1)
	if err != nil || len(made) == 0 {
		return Page{}, err
	}
	var page Page
	if len(made) > pageSize {
		made = made[:pageSize]
		page.Next = made[pageSize-1].ID
	}
	applications, jobs := make([]string, len(made)), make([]string, len(made))
	for i, m := range made {
		applications[i], jobs[i] = m.ID, m.JobID
	}
	headings, err := s.jobs.Headings(ctx, jobs)
	if err != nil {
		return Page{}, err
	}
	reads, err := s.reads.Reads(ctx, applications)
	if err != nil {
		return Page{}, err
	}
	for _, m := range made {
		job, known := headings[m.JobID]
		page.Applications = append(page.Applications, shown(m, job, reads[m.ID], known && !job.Masked))
	}
	return page, nil
}

// shown leaves out the names of apps unless they may be told: the platform of a masked
// employer would tell who that is.
func shown(m Made, job Heading, reads []Read, told bool) Application {
	if !told {
		for i := range reads {
			reads[i].AppName = ""
		}
	}
	return Application{Made: m, Job: job, Reads: reads}
}
