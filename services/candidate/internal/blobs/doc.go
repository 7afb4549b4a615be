// Package blobs stores resumes and exports in a bucket: a folder, or an S3-compatible one.
//
// It knows keys and bytes, not their owners. For a folder, this package signs and checks addresses,
// and the gateway serves them. S3 signs its own addresses, and their requests never reach this
// service.
package blobs
