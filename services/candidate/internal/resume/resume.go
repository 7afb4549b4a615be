package resume

import (
	"time"

	"vitae.internal/pkg/errs"
)

// MaxSize is how large a file may be, in bytes (decision 37).
const MaxSize = 10 << 20

// idPrefix starts the id of every resume.
const idPrefix = "res"

// ErrNotFound is a resume that is not there, or not there for who asks.
var ErrNotFound = errs.New(errs.NotFound, "RESUME_NOT_FOUND", "There is no such resume.")

// Resume is an uploaded file without its bytes.
type Resume struct {
	// ID is prefixed "res_".
	ID string
	// PersonID is whose it is.
	PersonID string
	// Filename as uploaded, without what could deceive; empty for none.
	Filename string
	// ContentType is the media type that the content has.
	ContentType string
	// Size in bytes.
	Size int
	// Key is where the bytes are.
	Key string
	// Ready says whether the bytes are there, all of them.
	Ready bool
	// CreatedAt is when it was uploaded.
	CreatedAt time.Time
}

// keyOf spreads files over a thousand folders, by the random end of their ids, so
// that none of them holds many: a file bucket lists a folder whole.
func keyOf(id string) string { return id[len(id)-2:] + "/" + id }

// Link is a signed address.
type Link struct {
	// URL of the file.
	URL string
	// ExpiresAt is when it stops, or up to a second before.
	ExpiresAt time.Time
}
