package applicant

import (
	"context"
	"errors"

	"vitae.internal/pkg/fault"
)

// pageSize is the number of applications on a page. It is also the maximum number of ids in one
// call to the partnercatalog or auth service.
const pageSize = 25

// Store reads applications.
type Store interface {
	// ByPerson returns up to limit of a person's applications, newest first. It starts after the
	// application with the id given in after, or with the newest one if after is empty.
	ByPerson(ctx context.Context, personID, after string, limit int32) ([]Made, error)
}

// Jobs looks up the names of jobs. The partnercatalog service implements it.
type Jobs interface {
	// Headings returns the headings of jobs by id. It omits deleted jobs. It returns an Unavailable
	// error if the catalog cannot be reached.
	Headings(ctx context.Context, jobIDs []string) (map[string]Heading, error)
}

// Reads counts how often apps have read applications. The auth service implements it.
type Reads interface {
	// Reads returns the reads of each application by application id, with the newest day first. It
	// returns an Unavailable error if the auth service cannot be reached.
	Reads(ctx context.Context, applicationIDs []string) (map[string][]Read, error)
}

// Config holds the dependencies of a Service. All are required.
type Config struct {
	Store Store
	Jobs  Jobs
	Reads Reads
}

// Service implements the use case.
type Service struct{ cfg Config }

// NewService returns a Service.
func NewService(c Config) (*Service, error) {
	if c.Store == nil || c.Jobs == nil || c.Reads == nil {
		return nil, errors.New("applicant: Store, Jobs and Reads are required")
	}
	return &Service{c}, nil
}

// List returns a page of a person's applications. after is the Next cursor from the previous page,
// or empty for the first page. If after is invalid, the page is empty.
func (s *Service) List(ctx context.Context, personID, after string) (Page, error) {
	if !fault.IsStorable(personID) || !fault.IsStorable(after) {
		return Page{}, nil
	}
	made, err := s.cfg.Store.ByPerson(ctx, personID, after, pageSize+1)
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
	headings, err := s.cfg.Jobs.Headings(ctx, jobs)
	if err != nil {
		return Page{}, err
	}
	reads, err := s.cfg.Reads.Reads(ctx, applications)
	if err != nil {
		return Page{}, err
	}
	for _, m := range made {
		job, known := headings[m.JobID]
		page.Applications = append(page.Applications, withReads(m, job, reads[m.ID], known && !job.Masked))
	}
	return page, nil
}

// withReads converts an application and adds its reads. If named is not set, it omits the names of
// the apps, because they could identify a masked employer.
func withReads(m Made, job Heading, reads []Read, named bool) Application {
	if !named {
		for i := range reads {
			reads[i].AppName = ""
		}
	}
	return Application{Made: m, Job: job, Reads: reads}
}
