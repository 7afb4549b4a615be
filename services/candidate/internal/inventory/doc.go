// Package inventory compares the rows of resumes with the files in the bucket, which are
// backed up and restored apart (behaviour: applications#uploaded-resumes). Each may lack what
// the other has.
//
// It must never remove a file that a row names, or that is not a resume by its key.
package inventory
