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
	// idPrefix starts the id of every export.
	idPrefix = "exp"
	// Life is how long an export can be downloaded.
	Life = 24 * time.Hour
	// At most MostOften exports of a person are made within the time Within.
	MostOften = 3
	Within    = 24 * time.Hour
)

// Errors of the package.
var (
	ErrNotFound = errs.New(errs.NotFound, "EXPORT_NOT_FOUND", "There is no such export.")
	// ErrTooOften is for a person who has asked too often; RetryAfter says how long to wait.
	ErrTooOften = errs.New(errs.Exhausted, "EXPORT_LIMIT", "Too many exports were asked for. Try again later.")
)

// State says how far an export is.
type State string

// The states. Rows hold them.
const (
	BeingMade State = "being_made"
	Ready     State = "ready"
	Failed    State = "failed"
	// Removed is one whose bytes are gone, or are about to go.
	Removed State = "removed"
)

// Export is an export without its bytes.
type Export struct {
	// ID is prefixed "exp_".
	ID       string
	PersonID string
	// Language is that of the mail about it.
	Language    string
	RequestedAt time.Time
	State       State
	// Attempts is how often its making was begun.
	Attempts int
	// Done of Steps are done.
	Done, Steps int
	// Size in bytes, and until when it can be downloaded; of one that is ready.
	Size      int64
	ExpiresAt time.Time
	// Announced says that the person was told.
	Announced bool
}

// folder is where exports are in the bucket. The ids of persons do not stand there.
const folder = "exports/"

// KeysOf is what the keys of all exports of a person begin with.
func KeysOf(personID string) string {
	sum := sha256.Sum256([]byte(personID))
	return folder + hex.EncodeToString(sum[:16]) + "-"
}

// IsKey reports whether a key is of an export.
func IsKey(key string) bool { return strings.HasPrefix(key, folder) }

func (e Export) key() string { return KeysOf(e.PersonID) + e.ID }

// Store keeps exports, and reads what is in them. Every method is atomic.
type Store interface {
	// Exports gives the exports of a person that were asked for since a moment, and those of
	// before that can be had, newest first.
	Exports(ctx context.Context, personID string, since time.Time) ([]Export, error)
	// AddExport adds an export that is to be made, and has those before it removed. False
	// if one is being made.
	AddExport(ctx context.Context, e Export) (bool, error)
	// LeaseExport returns an export with something to do, if there is one, and keeps other
	// workers from it until the given time.
	LeaseExport(ctx context.Context, now, until time.Time) ([]Export, error)
	// StepExport notes the progress, and keeps other workers away for longer. False if
	// another worker has the export, or if it is gone.
	StepExport(ctx context.Context, e Export, until time.Time) (bool, error)
	// FinishExport makes an export ready. False as StepExport.
	FinishExport(ctx context.Context, e Export, now time.Time) (bool, error)
	// MoveExport stores State and Announced, and when there is something to do next.
	MoveExport(ctx context.Context, e Export, at time.Time) error
	// DeleteExport deletes the row.
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

// Submitted is an application in full.
type Submitted struct {
	application.Application
	CoverLetter string
	// Frozen is the CV as it was then; nil if a file was submitted.
	Frozen *application.FrozenCv
	// Resume is the file; nil if a CV was submitted.
	Resume *resume.Resume
}

// Files keeps bytes. Package blobs implements it.
type Files interface {
	Put(ctx context.Context, key string, content io.Reader, h resume.Headers) error
	Open(ctx context.Context, key string) (io.ReadCloser, error)
	Remove(ctx context.Context, key string) error
}

// Account is what service auth holds of a person.
type Account interface {
	// Read reads all of it; false if auth does not know the person.
	Read(ctx context.Context, personID string) (AccountData, bool, error)
	// Announce has the person told about an export; once, however often it is called.
	Announce(ctx context.Context, e Export) error
}

// Renderer makes PDFs. Service cvrender implements it.
type Renderer interface {
	Render(ctx context.Context, personID string, cv projection.SharedCv) ([]byte, error)
}

// Shared makes the projection that a PDF shows. sharing.Service implements it.
type Shared interface {
	// Document gives a CV as its owner has it in a PDF. Errors: CV_NOT_FOUND.
	Document(ctx context.Context, personID, cvID string) (projection.SharedCv, error)
}

// Applied gives applications as their person sees them on the pages. applicant.Service
// implements it.
type Applied interface {
	// List gives a page of a person's applications: the first, or the one that begins at
	// after, the Next of the page before.
	List(ctx context.Context, personID, after string) (applicant.Page, error)
}

// Photos gives photos. photo.Service implements it.
type Photos interface {
	Get(ctx context.Context, personID string) (photo.Photo, error)
}
