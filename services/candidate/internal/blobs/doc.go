// Package blobs stores resumes and exports in a bucket, which is either a directory or
// S3-compatible storage.
//
// The package handles keys and bytes, and does not know who owns them. For a directory, this
// package signs and verifies URLs, and the gateway serves the files. S3 signs and serves its own
// URLs, so requests for them do not reach this service.
package blobs
