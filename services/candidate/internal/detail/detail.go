package detail

import (
	"time"

	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/resume"
)

// MaxOthers limits the stored size, in bytes, of the other CVs in an answer. The oldest are
// omitted. A hundred CVs of ten kilobytes fit, about three pages each. With a profile and a
// submitted CV of cv.MaxBytes, and all repetitions, an answer stays below 5 MiB; a message may have
// 10.
const MaxOthers = 1 << 20

// Stored is a stored application.
type Stored struct {
	application.Row
	// CoverLetter is empty for none.
	CoverLetter string
	// Frozen is the CV as it was submitted; nil if a file was submitted.
	Frozen *application.FrozenCv
	// Main is the current content of the profile.
	Main Main
	// Resume is the submitted file; nil if a CV was submitted.
	Resume *File
}

// Main is the content of a profile. It is the main CV if it is sufficient.
type Main struct {
	Content cv.Content
	// IsCv is true if the content makes a CV (cv.Content.HasCV).
	IsCv bool
	// CreatedAt and UpdatedAt are those of the profile.
	CreatedAt, UpdatedAt time.Time
}

// File is an uploaded resume.
type File struct {
	// Key is that of its bytes.
	Key string
	// Filename is empty for none.
	Filename string
}

// Detail is an application for employers.
type Detail struct {
	application.Row
	// CoverLetter is empty for none.
	CoverLetter string
	// Profile is the current profile.
	Profile projection.HiringProfile
	// Submitted is the CV at the time of applying; nil if a file was submitted.
	Submitted *Document
	// Others are the person's other current CVs: the main one first, then newest first.
	Others []Document
	// Resume is the submitted file; nil if a CV was submitted.
	Resume *Download
}

// Document is a CV.
type Document struct {
	// ID is profile.MainCvID or the CV's id.
	ID string
	// Title of the CV.
	Title string
	// CreatedAt and UpdatedAt are those of the CV, for a snapshot at the time of applying.
	CreatedAt, UpdatedAt time.Time
	// Snapshot is true for the submitted CV, which does not change.
	Snapshot bool
	projection.HiringCv
}

// Download is the address of a resume.
type Download struct {
	resume.Link
	// Filename is empty for none.
	Filename string
}

func frozen(f *application.FrozenCv) *Document {
	if f == nil {
		return nil
	}
	return &Document{
		ID: f.ID, Title: f.Title, CreatedAt: f.CreatedAt, UpdatedAt: f.UpdatedAt, Snapshot: true,
		HiringCv: projection.ShowCv(f.Content),
	}
}

func mainCv(m Main) Document {
	return Document{
		ID: profile.MainCvID, Title: profile.MainCvTitle, CreatedAt: m.CreatedAt, UpdatedAt: m.UpdatedAt,
		HiringCv: projection.ShowCv(m.Content),
	}
}

func live(c profile.Cv) Document {
	return Document{
		ID: c.ID, Title: c.Title, CreatedAt: c.CreatedAt, UpdatedAt: c.UpdatedAt,
		HiringCv: projection.ShowCv(c.Content),
	}
}
