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
	// idPrefix is the prefix of export ids.
	idPrefix = "exp"
	// Life is how long an export can be downloaded.
	Life = 24 * time.Hour
	// MostOften is the maximum number of exports that a person can start within the period Within.
	MostOften = 3
	Within    = 24 * time.Hour
)

var (
	ErrNotFound = errs.New(errs.NotFound, "EXPORT_NOT_FOUND", "There is no such export.")
	// ErrTooOften is returned if the person has started too many exports. RetryAfter is how long to wait.
	ErrTooOften = errs.New(errs.Exhausted, "EXPORT_LIMIT", "Too many exports were asked for. Try again later.")
)

// State is the state of an export.
type State string

// The states, as they are stored.
const (
	BeingMade State = "being_made"
	Ready     State = "ready"
	Failed    State = "failed"
	// Removed means that the bytes have been deleted or are about to be deleted.
	Removed State = "removed"
)

// Export is an export without its bytes.
type Export struct {
	// ID starts with "exp_".
	ID       string
	PersonID string
	// Language is the language of the email about the export.
	Language    string
	RequestedAt time.Time
	State       State
	// Attempts is the number of attempts so far.
	Attempts int
	// Done is the number of steps that have been finished, out of Steps.
	Done, Steps int
	// Size, in bytes, and ExpiresAt are set once the export is ready.
	Size      int64
	ExpiresAt time.Time
	// Announced reports whether the person has been notified.
	Announced bool
}

// folder is the prefix of the keys of exports in the bucket. The keys do not contain the ids of people.
const folder = "exports/"

// KeysOf returns the key prefix of a person's exports.
func KeysOf(personID string) string {
	sum := sha256.Sum256([]byte(personID))
	return folder + hex.EncodeToString(sum[:16]) + "-"
}

// IsKey reports whether a key belongs to an export.
func IsKey(key string) bool { return strings.HasPrefix(key, folder) }

func (e Export) key() string { return KeysOf(e.PersonID) + e.ID }

// Store stores exports, and reads applications. Every method is atomic.
type Store interface {
	// Exports returns a person's exports, newest first. It omits an export that was requested before since
	// and has been removed.
	Exports(ctx context.Context, personID string, since time.Time) ([]Export, error)
	// AddExport adds an export and marks the person's previous ones for removal. It returns false if an
	// export is already in progress.
	AddExport(ctx context.Context, e Export) (bool, error)
	// LeaseExport leases one export that is due until the given time, and returns it. It returns none if
	// none is due.
	LeaseExport(ctx context.Context, now, until time.Time) ([]Export, error)
	// StepExport stores the progress and renews the lease. It returns false if a different worker holds the
	// lease, or if the export has been deleted.
	StepExport(ctx context.Context, e Export, until time.Time) (bool, error)
	// FinishExport marks an export as ready. It returns false in the same cases as StepExport.
	FinishExport(ctx context.Context, e Export, now time.Time) (bool, error)
	// MoveExport stores State, Announced and the time at which the export is due next.
	MoveExport(ctx context.Context, e Export, at time.Time) error
	DeleteExport(ctx context.Context, id string) error
	// ApplicationsOf returns a page of a person's applications, ordered by job and starting after the job
	// afterJob.
	ApplicationsOf(ctx context.Context, personID, afterJob string, atMost int) ([]Submitted, error)
}

// Profiles reads profiles and CVs. The first methods are documented in profile.Store.
type Profiles interface {
	ProfileByID(ctx context.Context, personID string) (profile.Profile, error)
	// CvsOf returns a person's CVs, except the main CV.
	CvsOf(ctx context.Context, personID string) ([]profile.Cv, error)
	// DraftsOf returns a person's unsaved changes.
	DraftsOf(ctx context.Context, personID string) ([]profile.Draft, error)
	Documents(ctx context.Context, personID string) ([]profile.Document, error)
}

// Submitted is an application as it was submitted.
type Submitted struct {
	application.Application
	CoverLetter string
	// Frozen is the CV as it was when the person applied, or nil if a file was submitted.
	Frozen *application.FrozenCv
	// Resume is the submitted file, or nil if a CV was submitted.
	Resume *resume.Resume
}

// Files stores bytes. Package blobs implements it.
type Files interface {
	Put(ctx context.Context, key string, content io.Reader, h resume.Headers) error
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	Remove(ctx context.Context, key string) error
}

// Account reads a person's account in the auth service and sends emails about exports.
type Account interface {
	// Read reads the data of a person's account. It returns false if the auth service does not know the
	// person.
	Read(ctx context.Context, personID string) (AccountData, bool, error)
	// Announce notifies the person about an export. Repeated calls for the same export have no effect.
	Announce(ctx context.Context, e Export) error
}

// Renderer renders PDFs. The cvrender service implements it.
type Renderer interface {
	Render(ctx context.Context, personID string, cv projection.SharedCv) ([]byte, error)
}

// Shared returns the data that a PDF shows. sharing.Service implements it.
type Shared interface {
	// Document returns a CV for its owner's PDF. It returns CV_NOT_FOUND if the CV does not exist.
	Document(ctx context.Context, personID, cvID string) (projection.SharedCv, error)
}

// Applied lists applications as the person sees them. applicant.Service implements it.
type Applied interface {
	// List returns a page of a person's applications. after is the Next cursor from the previous page, or
	// "" for the first page.
	List(ctx context.Context, personID, after string) (applicant.Page, error)
}

// Photos returns photos. photo.Service implements it.
type Photos interface {
	Get(ctx context.Context, personID string) (photo.Photo, error)
}
