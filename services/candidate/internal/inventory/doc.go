// Package inventory finds differences between the resume rows in the database and the files in the
// bucket. They can differ because they are backed up and restored separately
// (behaviour: applications#uploaded-resumes).
//
// It must never remove a file that has a row, or a file whose key is not the key of a resume.
package inventory
