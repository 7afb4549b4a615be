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

// MaxOthers is the maximum stored size, in bytes, of the other CVs in a response. If they exceed
// it, the oldest CVs are omitted. A hundred CVs of ten kilobytes, or about three pages, fit. Even
// with a profile and a submitted CV of cv.MaxBytes each, and with all repetitions, a response stays
// below 5 MiB, whereas the maximum size of a message is 10 MiB.
const MaxOthers = 1 << 20

// Stored is a stored application.
type Stored struct {
	application.Row
	// CoverLetter is empty if there is none.
	CoverLetter string
	// Frozen is the submitted CV as it was at that time, or nil if a file was submitted.
	Frozen *application.FrozenCv
	// Main is the current content of the person's profile.
	Main Main
	// Resume is the submitted file, or nil if a CV was submitted.
	Resume *File
}

// Main is the content of a profile. If it is sufficient for a CV, it is also the main CV.
type Main struct {
	Content *cv.Content
	// IsCv reports whether the content is sufficient for a CV (cv.HasCV).
	IsCv bool
	// CreatedAt and UpdatedAt are the times at which the profile was created and last updated.
	CreatedAt, UpdatedAt time.Time
}

// File is an uploaded resume.
type File struct {
	// Key is the key under which the bucket stores the file.
	Key string
	// Filename is empty if the file has no name.
	Filename string
}

// Detail is an application as employers see it.
type Detail struct {
	application.Row
	// CoverLetter is empty if there is none.
	CoverLetter string
	// Profile is the current profile.
	Profile *candidatev1.CandidateProfile
	// Submitted is the submitted CV as it was at that time, or nil if a file was submitted.
	Submitted *candidatev1.CandidateCvDocument
	// Others are the current versions of the person's other CVs. The main CV comes first, followed
	// by the others, newest first.
	Others []*candidatev1.CandidateCvDocument
	// Resume is the submitted file, or nil if a CV was submitted.
	Resume *Download
}

// Download is a download link for a resume.
type Download struct {
	resume.Link
	// Filename is empty if the file has no name.
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
