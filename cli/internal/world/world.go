package world

import (
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// World holds the content of a file as requests to the services. The requests are complete except for the ids
// of objects that must be created first.
type World struct {
	People       []Person
	Developers   []Developer
	Companies    []Company
	Jobs         []Job
	Applications []Application
}

// Person holds the requests that create a person with a profile and CVs.
type Person struct {
	Path string // in the file
	Ref  string // identifies the person in the file
	// Account is complete and needs no other ids.
	Account *authv1.CreatePersonRequest
	// Profile is complete except for the person's id.
	Profile *candidatev1.CreateProfileRequest
	CVs     []CV
}

// CV holds the request that creates a CV other than the main CV.
type CV struct {
	Path string
	Ref  string
	// Request is complete except for the person's id.
	Request *candidatev1.CreateCvRequest
}

// Developer holds the requests that create a developer account with its members and apps.
type Developer struct {
	Path    string
	Ref     string
	Request *authv1.CreateAccountRequest
	Members []Member
	// Suspended reports whether to suspend the account after its apps have been created.
	Suspended bool
	Apps      []App
}

// Member holds the request that adds a person to a developer account.
type Member struct {
	Path string
	// Person is the ref of the person.
	Person string
	// Request is complete except for the ids of the account and the person.
	Request *authv1.AddMemberRequest
}

// App holds the requests that create an app with its API keys.
type App struct {
	Path string
	Ref  string
	// Request is complete except for the account id.
	Request *authv1.CreateAppRequest
	Keys    []APIKey
}

// APIKey holds the request that creates an API key.
type APIKey struct {
	Path string
	Ref  string
	// Request is complete except for the app id.
	Request *authv1.CreateApiKeyRequest
}

// Company holds the request that creates a company, and the settings of its career page.
type Company struct {
	Path string
	Ref  string
	// App is the ref of the app that creates the company.
	App string
	// Request is complete and needs no other ids.
	Request *partnercatalogv1.CreateCompanyRequest
	// Published and Verified are set after the company has been created. Nil leaves the field unset.
	Published, Verified *bool
}

// Job holds the request that creates a job.
type Job struct {
	Path string
	Ref  string
	// Company is the ref of the company that posts the job.
	Company string
	// Request is complete except for the company id.
	Request *partnercatalogv1.CreateJobRequest
	// Closed and Archived take effect after the applications have been created.
	Closed, Archived bool
}

// Application holds the request that creates an application to a job.
type Application struct {
	Path string
	Ref  string
	// Job and Person are the refs of the job and the applicant.
	Job, Person string
	// CV is the ref of the submitted CV, or MainCV. It is empty if there is a resume.
	CV string
	// Resume is the file submitted instead of a CV, or nil.
	Resume *Resume
	// Request is complete except for the ids of the job, person and submission, and the answers.
	Request *candidatev1.ApplyRequest
	Answers []Answer
	// Stages lists the stages after "applied", in order.
	Stages []candidatev1.ApplicationStatus
}

// Resume is a file to upload with an application.
type Resume struct {
	Filename string
	Content  []byte
}

// Answer is an answer to a screening question.
type Answer struct {
	Path string
	// Question is the question's index in the job, or NoQuestion if the file has an invalid index.
	Question int
	Value    *candidatev1.AnswerValue
}

// NoQuestion replaces an invalid question index.
const NoQuestion = -1

// seen holds every name that must be unique in a file.
type seen struct {
	people, cvs, developers, apps, keys names
	companies, jobs, applications       names
	emails, usernames, slugs            names
	externalIDs                         names // prefixed with the app's ref
	idempotencyKeys                     names // prefixed with the company's ref
	applied                             map[[2]string]string
}

func newSeen() *seen {
	return &seen{
		people: names{}, cvs: names{}, developers: names{}, apps: names{}, keys: names{},
		companies: names{}, jobs: names{}, applications: names{},
		emails: names{}, usernames: names{}, slugs: names{}, externalIDs: names{}, idempotencyKeys: names{},
		applied: map[[2]string]string{},
	}
}

// Parse reads a file and adds its errors to faults. The result contains the valid parts, so that the services
// can check them too.
func Parse(raw []byte, faults *Faults) World {
	var w World
	v := parse(raw, faults)
	if len(faults.list) > 0 && v == nil {
		return w
	}
	r, ok := read("$", v, faults)
	if !ok {
		return w
	}
	r.path = ""
	s := newSeen()
	w.People = each(r, "people", s, readPerson)
	w.Developers = each(r, "developers", s, readDeveloper)
	w.Companies = each(r, "companies", s, readCompany)
	w.Jobs = each(r, "jobs", s, readJob)
	w.Applications = each(r, "applications", s, readApplication)
	r.end()
	checkReferences(w, faults)
	return w
}

// each reads the items of the list at key with read.
func each[T any](r *reader, key string, s *seen, read func(path string, v any, s *seen, faults *Faults) (T, bool)) []T {
	var out []T
	items, at := r.list(key)
	for i, item := range items {
		if thing, ok := read(Index(at, i), item, s, r.faults); ok {
			out = append(out, thing)
		}
	}
	return out
}
