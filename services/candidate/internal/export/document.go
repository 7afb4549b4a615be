package export

import (
	_ "embed"
	"net/url"
	"time"

	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/proto"

	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/profile"
)

// Schema is the JSON Schema (2020-12) of the document. Every archive contains it.
//
//go:embed export.schema.json
var Schema []byte

// version is the version of the document. Increase it for changes that matter to readers.
const version = 1

// document is the content of export.json.
type document struct {
	Schema       string           `json:"$schema"`
	Version      int              `json:"version"`
	MadeAt       time.Time        `json:"madeAt"`
	Account      AccountData      `json:"account"`
	Profile      *profileOut      `json:"profile"`
	Cvs          []cvOut          `json:"cvs"`
	Applications []applicationOut `json:"applications"`
	Connections  []Connection     `json:"connections"`
	Sessions     []Session        `json:"sessions"`
	Passkeys     []Passkey        `json:"passkeys"`
	Browsers     []Browser        `json:"knownBrowsers"`
	Console      []ConsoleSession `json:"consoleSessions"`
	Memberships  []Membership     `json:"memberships"`
	Invitations  []Invitation     `json:"invitations"`
	Events       []Event          `json:"events"`
}

type profileOut struct {
	Name            string  `json:"name"`
	Username        string  `json:"username,omitempty"`
	Headline        string  `json:"headline,omitempty"`
	Email           string  `json:"email,omitempty"`
	EmailVerified   bool    `json:"emailVerified"`
	Locale          string  `json:"locale,omitempty"`
	Phone           string  `json:"phone,omitempty"`
	Address         string  `json:"address,omitempty"`
	OpenToWork      bool    `json:"openToWork"`
	Public          bool    `json:"public"`
	UAEPassVerified bool    `json:"uaePassVerified"`
	Details         message `json:"personalDetails"`
	// Photo is the name of a file in the archive, or the URL of an external photo.
	Photo     string    `json:"photo,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

type cvOut struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// PDF is the name of a file in the archive, or "" if the CV could not be rendered. Template is the layout
	// of the PDF, or "" for a main CV without content.
	PDF       string    `json:"pdf,omitempty"`
	Template  string    `json:"template,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
	Content   message   `json:"content"`
	Draft     *draftOut `json:"draft,omitempty"`
}

// draftOut holds the unsaved changes to a CV or to the profile.
type draftOut struct {
	SavedAt time.Time `json:"savedAt"`
	// Fields maps form fields to their values.
	Fields url.Values `json:"fields"`
}

type applicationOut struct {
	ID    string `json:"id"`
	JobID string `json:"jobId"`
	// JobTitle and Employer have their current values, or are "" if the job has been deleted. For a masked
	// employer, Employer is the label shown instead of the name.
	JobTitle       string `json:"jobTitle,omitempty"`
	Employer       string `json:"employer,omitempty"`
	EmployerMasked bool   `json:"employerMasked"`
	// CompanyID is "" for a masked employer. Otherwise, it would reveal the company's name if the person has
	// also applied for another of the company's jobs.
	CompanyID   string               `json:"companyId,omitempty"`
	Status      string               `json:"status"`
	Source      string               `json:"source,omitempty"`
	AppliedAt   time.Time            `json:"appliedAt"`
	UpdatedAt   time.Time            `json:"updatedAt"`
	History     []application.Change `json:"history"`
	Answers     []application.Answer `json:"answers"`
	CoverLetter string               `json:"coverLetter,omitempty"`
	Cv          *frozenOut           `json:"cv,omitempty"`
	Resume      *resumeOut           `json:"resume,omitempty"`
	Reads       []applicant.Read     `json:"reads"`
}

// frozenOut is a CV as it was when the person applied.
type frozenOut struct {
	ID        string    `json:"id"`
	Title     string    `json:"title"`
	UpdatedAt time.Time `json:"updatedAt"`
	Content   message   `json:"content"`
}

type resumeOut struct {
	// File is the name of the file in the archive. Filename is the name of the file that the person uploaded.
	File        string    `json:"file"`
	Filename    string    `json:"filename,omitempty"`
	ContentType string    `json:"contentType"`
	Size        int       `json:"size"`
	UploadedAt  time.Time `json:"uploadedAt"`
}

// message is a protobuf message that is encoded with the field names of the .proto file.
type message struct{ proto.Message }

func (m message) MarshalJSON() ([]byte, error) { return protojson.Marshal(m.Message) }

// list copies a list, so that an empty one is encoded as [] rather than null.
func list[T any](all []T) []T { return append([]T{}, all...) }

// documentOf builds the document. Lists are never null.
func documentOf(g gathered, pdfs map[string]string, at time.Time) document {
	d := document{
		Schema: schemaName, Version: version, MadeAt: at.UTC(), Account: g.account,
		Cvs: []cvOut{}, Applications: []applicationOut{},
		Connections: list(g.account.Connections), Sessions: list(g.account.Sessions), Passkeys: list(g.account.Passkeys),
		Browsers: list(g.account.Browsers), Console: list(g.account.ConsoleSessions), Memberships: list(g.account.Memberships),
		Invitations: list(g.account.Invitations), Events: list(g.account.Events),
	}
	if g.profile == nil {
		return d
	}
	d.Profile = profileOf(g)
	// The content of the main CV is that of the profile.
	d.Cvs = append(d.Cvs, cvOut{
		ID: profile.MainCvID, Title: profile.MainCvTitle, PDF: pdfs[profile.MainCvID], Template: string(g.mainTemplate),
		CreatedAt: g.profile.CreatedAt, UpdatedAt: g.profile.UpdatedAt, Content: message{g.profile.Content},
	})
	for _, c := range g.cvs {
		d.Cvs = append(d.Cvs, cvOut{ID: c.ID, Title: c.Title, PDF: pdfs[c.ID], Template: string(c.Template), CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Content: message{c.Content}})
	}
	for i := range d.Cvs {
		d.Cvs[i].Draft = draftOf(g.drafts, d.Cvs[i].ID)
	}
	for _, a := range g.applications {
		d.Applications = append(d.Applications, applicationOf(a, g.shown[a.ID]))
	}
	return d
}

func draftOf(all []profile.Draft, document string) *draftOut {
	for _, one := range all {
		if one.Document == document {
			fields, _ := url.ParseQuery(one.Form) // the pages store only valid forms
			return &draftOut{SavedAt: one.SavedAt, Fields: fields}
		}
	}
	return nil
}

func profileOf(g gathered) *profileOut {
	p := g.profile
	out := &profileOut{
		Name: p.Name, Username: p.Username, Headline: p.Headline, Email: p.Email, EmailVerified: p.EmailVerified, Locale: p.Locale,
		Phone: p.Phone, Address: p.Address, OpenToWork: p.OpenToWork, Public: p.Public, UAEPassVerified: p.UAEPassVerified,
		Details: message{p.Details}, Photo: g.photo.Address, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	if g.photo.JPEG != nil {
		out.Photo = photoName
	}
	return out
}

// applicationOf returns an application as it was submitted, together with its current state.
func applicationOf(a Submitted, shown applicant.Application) applicationOut {
	out := applicationOut{
		ID: a.ID, JobID: a.JobID, JobTitle: shown.Job.Title, Employer: shown.Job.Employer, EmployerMasked: shown.Job.Masked, Status: string(a.Status), Source: string(a.Source),
		AppliedAt: a.AppliedAt, UpdatedAt: a.UpdatedAt, History: list(a.History), Answers: list(a.Answers), CoverLetter: a.CoverLetter, Reads: list(shown.Reads),
	}
	if shown.Job.Title != "" && !shown.Job.Masked {
		out.CompanyID = a.CompanyID
	}
	if f := a.Frozen; f != nil {
		out.Cv = &frozenOut{ID: f.ID, Title: f.Title, UpdatedAt: f.UpdatedAt, Content: message{f.Content}}
	}
	if r := a.Resume; r != nil {
		out.Resume = &resumeOut{File: resumeName(a), Filename: r.Filename, ContentType: r.ContentType, Size: r.Size, UploadedAt: r.CreatedAt}
	}
	return out
}
