// Package blobs keeps resumes and exports in a bucket: a folder, or any bucket of S3's kind.
//
// It knows keys and bytes, not their owners. For a folder, this package makes and checks
// the signed addresses, and the gateway serves them. The addresses of S3 are S3's own,
// and requests for them never reach this service.
package blobs
