// Package resume is files that people upload in place of a CV: which files are
// accepted, where they are kept, and who may fetch them
// (behaviour: applications#uploaded-resumes, applications#resume-download).
//
// It must never give a file to a caller without an address that it has signed. It must
// never keep bytes that no row names: the row is written before the bytes and deleted
// after them.
package resume
