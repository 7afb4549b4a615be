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

// ErrNotFound is returned for a resume that does not exist or that the caller may not access.
var ErrNotFound = errs.New(errs.NotFound, "RESUME_NOT_FOUND", "There is no such resume.")

// Resume is an uploaded file without its bytes.
type Resume struct {
	// ID has the prefix "res_".
	ID string
	// PersonID is the id of the owner.
	PersonID string
	// Filename contains no misleading characters. It is empty if the uploaded file has no name.
	Filename string
	// ContentType is detected from the content.
	ContentType string
	// Size is the file's size in bytes.
	Size int
	// Key is the key of the bytes in the bucket.
	Key string
	// Ready reports whether all bytes are stored.
	Ready     bool
	CreatedAt time.Time
}

// keyOf returns the key of a resume. It distributes the files over a thousand directories by the
// random end of their ids, because a file bucket can only list whole directories.
func keyOf(id string) string { return id[len(id)-2:] + "/" + id }

// OfKey returns the id of the resume to which a key belongs, even if an interrupted upload left the
// file behind. It returns false for other keys.
func OfKey(key string) (id string, ok bool) {
	id, _, _ = strings.Cut(path.Base(key), ".")
	return id, strings.HasPrefix(id, idPrefix+"_") && path.Dir(keyOf(id)) == path.Dir(key)
}

// Link is a signed URL.
type Link struct {
	// URL is the URL of the file.
	URL string
	// ExpiresAt is when the URL expires. It may be up to one second too early.
	ExpiresAt time.Time
}
