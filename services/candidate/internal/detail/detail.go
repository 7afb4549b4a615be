package detail

import (
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/cv"
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
	Content *cv.Content
	// IsCv is true if the content makes a CV (cv.HasCV).
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
	Profile *candidatev1.CandidateProfile
	// Submitted is the CV at the time of applying; nil if a file was submitted.
	Submitted *candidatev1.CandidateCvDocument
	// Others are the person's other current CVs: the main one first, then newest first.
	Others []*candidatev1.CandidateCvDocument
	// Resume is the submitted file; nil if a CV was submitted.
	Resume *Download
}

// Download is the address of a resume.
type Download struct {
	resume.Link
	// Filename is empty for none.
	Filename string
}

func frozen(f *application.FrozenCv) *candidatev1.CandidateCvDocument {
	if f == nil {
		return nil
	}
	out := document(f.ID, f.Title, f.CreatedAt, f.UpdatedAt, f.Content)
	out.Snapshot = true
	return out
}

func document(id, title string, created, updated time.Time, content *cv.Content) *candidatev1.CandidateCvDocument {
	out := projection.ShowCv(content)
	out.Id, out.Title, out.CreatedAt, out.UpdatedAt = id, title, timestamppb.New(created), timestamppb.New(updated)
	return out
}
