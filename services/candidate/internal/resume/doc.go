// Package resume manages files that people upload instead of a CV: it validates, stores and serves
// them (behaviour: applications#uploaded-resumes, applications#resume-download).
//
// It must never serve a file without a signed URL, and must never store bytes without a database
// row. Therefore, the row is written before the bytes and deleted after them.
package resume
