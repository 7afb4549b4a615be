// Package inventory finds differences between the rows of resumes and the files in the bucket,
// which are backed up and restored separately (behaviour: applications#uploaded-resumes).
//
// It must never remove a file that has a row, or whose key is not that of a resume.
package inventory
