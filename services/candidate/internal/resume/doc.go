// Package resume manages files that people upload instead of a CV: validation, storage and
// download (behaviour: applications#uploaded-resumes, applications#resume-download).
//
// It must never serve a file without a signed address. It must never store bytes without a
// row: the row is written before the bytes and deleted after them.
package resume
