package resume

import (
	"path"
	"strings"
	"time"

	"vitae.internal/pkg/errs"
)

// MaxSize is the maximum size of a file in bytes (behaviour: applications#uploaded-resumes).
const MaxSize = 10 << 20

const idPrefix = "res"

// ErrNotFound is for a resume that does not exist, or that the caller may not have.
var ErrNotFound = errs.New(errs.NotFound, "RESUME_NOT_FOUND", "There is no such resume.")

// Resume is an uploaded file without its bytes.
type Resume struct {
	// ID is prefixed "res_".
	ID string
	// PersonID is the owner.
	PersonID string
	// Filename is cleaned of misleading characters; empty for none.
	Filename string
	// ContentType is detected from the content.
	ContentType string
	// Size in bytes.
	Size int
	// Key is that of the bytes in the bucket.
	Key string
	// Ready is true once all bytes are stored.
	Ready     bool
	CreatedAt time.Time
}

// keyOf returns the key of a resume. It distributes files over a thousand folders by the random
// end of their ids, because a file bucket can only list a whole folder.
func keyOf(id string) string { return id[len(id)-2:] + "/" + id }

// OfKey returns the id of the resume with a key, complete or left by an interrupted upload; false
// for other keys.
func OfKey(key string) (id string, ok bool) {
	id, _, _ = strings.Cut(path.Base(key), ".")
	return id, strings.HasPrefix(id, idPrefix+"_") && path.Dir(keyOf(id)) == path.Dir(key)
}

// Link is a signed address.
type Link struct {
	// URL of the file.
	URL string
	// ExpiresAt is at most a second before the real expiry.
	ExpiresAt time.Time
}
