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

// MaxOthers is the maximum stored size, in bytes, of the other CVs in a response. The oldest CVs
// are omitted. A hundred CVs of ten kilobytes, which is about three pages each, fit. With a profile
// and a submitted CV of cv.MaxBytes, and with all repetitions, a response stays below 5 MiB. The
// maximum size of a message is 10 MiB.
const MaxOthers = 1 << 20

// Stored is a stored application.
type Stored struct {
	application.Row
	// CoverLetter is empty if there is none.
	CoverLetter string
	// Frozen is the CV as submitted, or nil if a file was submitted.
	Frozen *application.FrozenCv
	// Main is the current content of the profile.
	Main Main
	// Resume is the submitted file, or nil if a CV was submitted.
	Resume *File
}

// Main is the content of a profile. It is also the main CV if it is sufficient for a CV.
type Main struct {
	Content *cv.Content
	// IsCv reports whether the content is sufficient for a CV (cv.HasCV).
	IsCv bool
	// CreatedAt and UpdatedAt are the profile's times.
	CreatedAt, UpdatedAt time.Time
}

// File is an uploaded resume.
type File struct {
	// Key is the key of the file's bytes in the bucket.
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
	// Submitted is the CV as submitted, or nil if a file was submitted.
	Submitted *candidatev1.CandidateCvDocument
	// Others are the person's other current CVs. The main CV comes first, followed by the others,
	// newest first.
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
