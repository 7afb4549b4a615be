// Package cvimport reads CVs from files that other products have written: JSON Resume
// (https://jsonresume.org/schema, version 1.0.0), the Europass Candidate XML of europa.eu
// (http://www.europass.eu/1.0), the older Europass SkillsPassport XML, version 3
// (http://europass.cedefop.europa.eu/Europass), and LinkedIn's data export, a ZIP archive of comma-separated
// values.
//
// It parses a file into a tree of named strings. Every string that has a matching field in a CV is taken from
// the tree. The remaining strings are listed with their paths, so nothing is lost silently. The package does
// not validate the CV; the candidate service does.
package cvimport
