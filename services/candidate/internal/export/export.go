package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"io"
	"strings"
	"time"

	"vitae.internal/pkg/errs"
	"vitae.internal/services/candidate/internal/applicant"
	"vitae.internal/services/candidate/internal/application"
	"vitae.internal/services/candidate/internal/photo"
	"vitae.internal/services/candidate/internal/profile"
	"vitae.internal/services/candidate/internal/projection"
	"vitae.internal/services/candidate/internal/resume"
)

const (
	// idPrefix starts the ids of exports.
	idPrefix = "exp"
	// Life is how long an export can be downloaded.
	Life = 24 * time.Hour
	// MostOften limits the exports of a person within the time Within.
	MostOften = 3
	Within    = 24 * time.Hour
)

var (
	ErrNotFound = errs.New(errs.NotFound, "EXPORT_NOT_FOUND", "There is no such export.")
	// ErrTooOften means that the person has started too many exports. RetryAfter is the time to
	// wait.
	ErrTooOften = errs.New(errs.Exhausted, "EXPORT_LIMIT", "Too many exports were asked for. Try again later.")
)

// State is the state of an export.
type State string

// The states, as stored.
const (
	BeingMade State = "being_made"
	Ready     State = "ready"
	Failed    State = "failed"
	// Removed means that the bytes are deleted, or will be.
	Removed State = "removed"
)

// Export is an export without its bytes.
type Export struct {
	// ID is prefixed "exp_".
	ID       string
	PersonID string
	// Language is that of the email about it.
	Language    string
	RequestedAt time.Time
	State       State
	// Attempts is the number of attempts so far.
	Attempts int
	// Done of Steps are finished.
	Done, Steps int
	// Size in bytes and ExpiresAt are set once it is ready.
	Size      int64
	ExpiresAt time.Time
	// Announced means that the person was notified.
	Announced bool
}

// folder is where exports are in the bucket. Keys do not contain ids of persons.
const folder = "exports/"

// KeysOf returns the prefix of the keys of a person's exports.
func KeysOf(personID string) string {
	sum := sha256.Sum256([]byte(personID))
	return folder + hex.EncodeToString(sum[:16]) + "-"
}

// IsKey reports whether a key belongs to an export.
func IsKey(key string) bool { return strings.HasPrefix(key, folder) }

func (e Export) key() string { return KeysOf(e.PersonID) + e.ID }

// Store stores exports, and reads applications. Every method is atomic.
type Store interface {
	// Exports returns a person's exports that were requested after since, and older ones that are
	// not removed, newest first.
	Exports(ctx context.Context, personID string, since time.Time) ([]Export, error)
	// AddExport adds an export, and marks the previous ones for removal. False if one is being
	// made.
	AddExport(ctx context.Context, e Export) (bool, error)
	// LeaseExport returns an export that is due, if there is one, and leases it until the given
	// time.
	LeaseExport(ctx context.Context, now, until time.Time) ([]Export, error)
	// StepExport stores the progress, and renews the lease. False if another worker has the export,
	// or if it is deleted.
	StepExport(ctx context.Context, e Export, until time.Time) (bool, error)
	// FinishExport marks an export as ready. False as StepExport.
	FinishExport(ctx context.Context, e Export, now time.Time) (bool, error)
	// MoveExport stores State and Announced, and when the export is due next.
	MoveExport(ctx context.Context, e Export, at time.Time) error
	DeleteExport(ctx context.Context, id string) error
	// ApplicationsOf returns a page of a person's applications, ordered by job, after the job afterJob.
	ApplicationsOf(ctx context.Context, personID, afterJob string, atMost int) ([]Submitted, error)
}

// Profiles reads profiles and CVs. The methods of profile.Store are documented there.
type Profiles interface {
	ProfileByID(ctx context.Context, personID string) (profile.Profile, error)
	// CvsOf returns the CVs of a person, without the main one.
	CvsOf(ctx context.Context, personID string) ([]profile.Cv, error)
	// DraftsOf returns a person's unsaved changes.
	DraftsOf(ctx context.Context, personID string) ([]profile.Draft, error)
	Documents(ctx context.Context, personID string) ([]profile.Document, error)
}

// Submitted is an application as submitted.
type Submitted struct {
	application.Application
	CoverLetter string
	// Frozen is the CV at the time of applying; nil if a file was submitted.
	Frozen *application.FrozenCv
	// Resume is the file; nil if a CV was submitted.
	Resume *resume.Resume
}

// Files stores bytes. Package blobs implements it.
type Files interface {
	Put(ctx context.Context, key string, content io.Reader, h resume.Headers) error
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	Remove(ctx context.Context, key string) error
}

// Account is service auth.
type Account interface {
	// Read reads a person's data; false if auth does not know the person.
	Read(ctx context.Context, personID string) (AccountData, bool, error)
	// Announce notifies the person about an export, once for any number of calls.
	Announce(ctx context.Context, e Export) error
}

// Renderer renders PDFs. Service cvrender implements it.
type Renderer interface {
	Render(ctx context.Context, personID string, cv projection.SharedCv) ([]byte, error)
}

// Shared returns the projection for a PDF. sharing.Service implements it.
type Shared interface {
	// Document returns a CV for its owner's PDF. Errors: CV_NOT_FOUND.
	Document(ctx context.Context, personID, cvID string) (projection.SharedCv, error)
}

// Applied lists applications as the person sees them. applicant.Service implements it.
type Applied interface {
	// List returns a page of a person's applications. after is the Next of the previous page, or
	// empty for the first.
	List(ctx context.Context, personID, after string) (applicant.Page, error)
}

// Photos returns photos. photo.Service implements it.
type Photos interface {
	Get(ctx context.Context, personID string) (photo.Photo, error)
}
