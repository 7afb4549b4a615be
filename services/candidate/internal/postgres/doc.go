// Package postgres keeps profiles, CVs, applications and the rows of resumes in the
// service's own database. All SQL is in queries and migrations, from which `sqlc
// generate` makes package sqlc. The searches of applications choose between these
// queries in Go (applications_search.go), by counts that only the first query knows.
//
// The package must never hold a rule of the domain: it stores what the domain has
// checked, and gives all of it back. It does not decide who may see a row; but a query for
// a public page or a reference does not read private columns at all (queries/people.sql).
package postgres
