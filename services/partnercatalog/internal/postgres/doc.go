// Package postgres stores companies and jobs in the service's own database. The statements are in
// queries and the schema is in migrations; sqlc generates package sqlc from both.
//
// The package contains no rules. It stores values that the domain packages have checked, and the
// domain packages decide who may read them.
package postgres
