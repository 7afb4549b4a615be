package export

import (
	_ "embed"
	"time"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
)

// Schema describes the document of an export (JSON Schema 2020-12). Every archive holds it.
//
//go:embed export.schema.json
var Schema []byte

// version of the document. A change that readers must know of raises it.
const version = 1

// AccountData is what service auth holds of a person.
type AccountData struct {
	ID            string    `json:"id"`
	Email         string    `json:"email"`
	EmailVerified bool      `json:"emailVerified"`
	Language      string    `json:"language,omitempty"`
	CreatedAt     time.Time `json:"createdAt"`
	PasswordSetAt time.Time `json:"passwordSetAt"`

	Sessions    []Session    `json:"-"`
	Connections []Connection `json:"-"`
	Memberships []Membership `json:"-"`
	Events      []Event      `json:"-"`
}

// Session is a browser in which the person is signed in.
type Session struct {
	Browser   string    `json:"browser,omitempty"`
	System    string    `json:"system,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UsedAt    time.Time `json:"usedAt"`
}

// Connection is a consent to an app, and what the app has read.
type Connection struct {
	ID            string     `json:"id"`
	AppID         string     `json:"appId"`
	AppName       string     `json:"appName"`
	GrantedScopes []string   `json:"grantedScopes"`
	Scopes        []string   `json:"scopesInForce"`
	CvID          string     `json:"cvId,omitempty"`
	CvShared      bool       `json:"cvShared"`
	PhotoShared   bool       `json:"photoShared"`
	Legacy        bool       `json:"olderInterface"`
	CreatedAt     time.Time  `json:"createdAt"`
	PausedAt      *time.Time `json:"pausedAt,omitempty"`
	EndsAt        *time.Time `json:"endsAt,omitempty"`
	EndedAt       *time.Time `json:"endedAt,omitempty"`
	Reads         []Read     `json:"reads"`
}

// Read is what an app has read on a UTC day.
type Read struct {
	Day    string    `json:"day"`
	Kind   string    `json:"kind"`
	Count  int64     `json:"count"`
	LastAt time.Time `json:"lastAt"`
}

// Membership is a role in a developer account.
type Membership struct {
	AccountID   string    `json:"accountId"`
	AccountName string    `json:"accountName"`
	Role        string    `json:"role"`
	CreatedAt   time.Time `json:"createdAt"`
}

// Event is an event of the audit log.
type Event struct {
	At            time.Time `json:"at"`
	Action        string    `json:"action"`
	Outcome       string    `json:"outcome"`
	Actor         string    `json:"actor"`
	AppID         string    `json:"appId,omitempty"`
	ClientAddress string    `json:"clientAddress,omitempty"`
}

// document is export.json.
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
	Memberships  []Membership     `json:"memberships"`
	Events       []Event          `json:"events"`
}

type profileOut struct {
	Name            string          `json:"name"`
	Username        string          `json:"username,omitempty"`
	Headline        string          `json:"headline,omitempty"`
	Email           string          `json:"email,omitempty"`
	EmailVerified   bool            `json:"emailVerified"`
	Locale          string          `json:"locale,omitempty"`
	Phone           string          `json:"phone,omitempty"`
	Address         string          `json:"address,omitempty"`
	OpenToWork      bool            `json:"openToWork"`
	Public          bool            `json:"public"`
	UAEPassVerified bool            `json:"uaePassVerified"`
	Details         personalDetails `json:"personalDetails"`
	// Photo is the name of a file in the archive, or the address where the photo lies.
	Photo     string    `json:"photo,omitempty"`
	CreatedAt time.Time `json:"createdAt"`
	UpdatedAt time.Time `json:"updatedAt"`
}

type personalDetails struct {
	DateOfBirth     string `json:"dateOfBirth,omitempty"`
	Gender          string `json:"gender,omitempty"`
	MaritalStatus   string `json:"maritalStatus,omitempty"`
	Nationality     string `json:"nationality,omitempty"`
	Residence       string `json:"residence,omitempty"`
	VisaResidency   string `json:"visaResidency,omitempty"`
	NationalService string `json:"nationalService,omitempty"`
	Dependents      string `json:"dependents,omitempty"`
}

type cvOut struct {
	ID    string `json:"id"`
	Title string `json:"title"`
	// PDF is the name of a file in the archive; empty if it could not be made.
	PDF       string     `json:"pdf,omitempty"`
	CreatedAt time.Time  `json:"createdAt"`
	UpdatedAt time.Time  `json:"updatedAt"`
	Content   cv.Content `json:"content"`
}

type applicationOut struct {
	ID          string      `json:"id"`
	JobID       string      `json:"jobId"`
	CompanyID   string      `json:"companyId"`
	Status      string      `json:"status"`
	Source      string      `json:"source,omitempty"`
	AppliedAt   time.Time   `json:"appliedAt"`
	UpdatedAt   time.Time   `json:"updatedAt"`
	History     []stageOut  `json:"history"`
	Answers     []answerOut `json:"answers"`
	CoverLetter string      `json:"coverLetter,omitempty"`
	Cv          *frozenOut  `json:"cv,omitempty"`
	Resume      *resumeOut  `json:"resume,omitempty"`
}

type stageOut struct {
	Status string    `json:"status"`
	At     time.Time `json:"at"`
}

type answerOut struct {
	QuestionID string            `json:"questionId"`
	Type       string            `json:"type"`
	Value      application.Value `json:"value"`
}

// frozenOut is a CV as it was when it was submitted.
type frozenOut struct {
	ID        string     `json:"id"`
	Title     string     `json:"title"`
	UpdatedAt time.Time  `json:"updatedAt"`
	Content   cv.Content `json:"content"`
}

type resumeOut struct {
	// File is its name in the archive, Filename that which the person gave it.
	File        string    `json:"file"`
	Filename    string    `json:"filename,omitempty"`
	ContentType string    `json:"contentType"`
	Size        int       `json:"size"`
	UploadedAt  time.Time `json:"uploadedAt"`
}

// documentOf gives the document. Lists are never null.
func documentOf(g gathered, pdfs map[string]string, at time.Time) document {
	d := document{
		Schema: schemaName, Version: version, MadeAt: at.UTC(), Account: g.account,
		Cvs: []cvOut{}, Applications: []applicationOut{}, Connections: []Connection{}, Sessions: []Session{},
		Memberships: []Membership{}, Events: []Event{},
	}
	d.Connections = append(d.Connections, g.account.Connections...)
	d.Sessions = append(d.Sessions, g.account.Sessions...)
	d.Memberships = append(d.Memberships, g.account.Memberships...)
	d.Events = append(d.Events, g.account.Events...)
	if g.profile == nil {
		return d
	}
	d.Profile = profileOf(g)
	// The sections of the main CV are those of the profile.
	d.Cvs = append(d.Cvs, cvOut{
		ID: profile.MainCvID, Title: profile.MainCvTitle, PDF: pdfs[profile.MainCvID],
		CreatedAt: g.profile.CreatedAt, UpdatedAt: g.profile.UpdatedAt, Content: g.profile.Content,
	})
	for _, c := range g.cvs {
		d.Cvs = append(d.Cvs, cvOut{ID: c.ID, Title: c.Title, PDF: pdfs[c.ID], CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt, Content: c.Content})
	}
	for _, a := range g.applications {
		d.Applications = append(d.Applications, applicationOf(a))
	}
	return d
}

func profileOf(g gathered) *profileOut {
	p := g.profile
	out := &profileOut{
		Name: p.Name, Username: p.Username, Headline: p.Headline, Email: p.Email, EmailVerified: p.EmailVerified, Locale: p.Locale,
		Phone: p.Phone, Address: p.Address, OpenToWork: p.OpenToWork, Public: p.Public, UAEPassVerified: p.UAEPassVerified,
		Details: personalDetails(p.Details), Photo: g.photo.Address, CreatedAt: p.CreatedAt, UpdatedAt: p.UpdatedAt,
	}
	if g.photo.JPEG != nil {
		out.Photo = photoName
	}
	return out
}

func applicationOf(a Submitted) applicationOut {
	out := applicationOut{
		ID: a.ID, JobID: a.JobID, CompanyID: a.CompanyID, Status: string(a.Status), Source: string(a.Source),
		AppliedAt: a.AppliedAt, UpdatedAt: a.UpdatedAt, History: []stageOut{}, Answers: []answerOut{}, CoverLetter: a.CoverLetter,
	}
	for _, h := range a.History {
		out.History = append(out.History, stageOut{Status: string(h.Status), At: h.At})
	}
	for _, one := range a.Answers {
		out.Answers = append(out.Answers, answerOut{QuestionID: one.QuestionID, Type: string(one.Type), Value: one.Value})
	}
	if f := a.Frozen; f != nil {
		out.Cv = &frozenOut{ID: f.ID, Title: f.Title, UpdatedAt: f.UpdatedAt, Content: f.Content}
	}
	if r := a.Resume; r != nil {
		out.Resume = &resumeOut{File: resumeName(a), Filename: r.Filename, ContentType: r.ContentType, Size: r.Size, UploadedAt: r.CreatedAt}
	}
	return out
}
