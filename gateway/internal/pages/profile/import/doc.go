// Package cvimport reads a CV out of a file that another product has written: JSON Resume
// (https://jsonresume.org/schema, version 1.0.0), the Europass Candidate XML of europa.eu
// (http://www.europass.eu/1.0), the older Europass SkillsPassport XML, version 3
// (http://europass.cedefop.europa.eu/Europass), and LinkedIn's data export, a ZIP archive of
// comma-separated values.
//
// A file becomes a tree of named texts. What finds its place in a CV is taken out of it; what
// is left at the end is listed with its path, so nothing is lost silently. The package checks no
// rule of a CV: candidate does.
package cvimport
