package resume

import (
	"path"
	"strings"
	"time"

	"vitae.internal/pkg/errs"
)

// MaxSize is the largest file, in bytes (behaviour: applications#uploaded-resumes).
const MaxSize = 10 << 20

// idPrefix starts the id of every resume.
const idPrefix = "res"

// ErrNotFound is a resume that does not exist, or not for the caller.
var ErrNotFound = errs.New(errs.NotFound, "RESUME_NOT_FOUND", "There is no such resume.")

// Resume is an uploaded file without its bytes.
type Resume struct {
	// ID is prefixed "res_".
	ID string
	// PersonID is the owner.
	PersonID string
	// Filename as uploaded, without characters that could deceive a reader; empty for
	// none.
	Filename string
	// ContentType is the media type that the content has.
	ContentType string
	// Size in bytes.
	Size int
	// Key is where the bytes are.
	Key string
	// Ready is true once all bytes are stored.
	Ready bool
	// CreatedAt is when it was uploaded.
	CreatedAt time.Time
}

// keyOf gives the key of a resume. It spreads files over a thousand folders, by the
// random end of their ids, because a file bucket can only list a whole folder.
func keyOf(id string) string { return id[len(id)-2:] + "/" + id }

// OfKey gives the id of the resume that a key is of, whole or left by an interrupted
// upload; false for a key that is not of a resume.
func OfKey(key string) (id string, ok bool) {
	id, _, _ = strings.Cut(path.Base(key), ".")
	return id, strings.HasPrefix(id, idPrefix+"_") && path.Dir(keyOf(id)) == path.Dir(key)
}

// Link is a signed address.
type Link struct {
	// URL of the file.
	URL string
	// ExpiresAt is when it stops working, or up to a second before.
	ExpiresAt time.Time
}
