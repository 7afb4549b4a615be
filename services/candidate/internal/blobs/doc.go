// Package blobs keeps resumes in a bucket: a folder, or any bucket of S3's kind.
//
// It knows keys and bytes, not whose they are. Signed addresses of a folder are
// made and checked here and served by the edge; those of S3 are S3's own, and
// never come back to us.
package blobs
