// Package resume is files that people upload in place of a CV: which files are
// taken, where they are kept, and who may fetch them (decision 37).
//
// It must never give a file to anyone without an address that it has signed, and
// never keep bytes that no row names: the row is written before them and deleted
// after them.
package resume
