// Package postgres keeps companies and jobs in the service's own database. The
// statements are in queries and the schema in migrations. `sqlc generate` makes
// package sqlc from both.
//
// It holds no rules: it stores the values that the domain packages have checked, and
// gives all of them back. The domain packages decide who may see them. The package
// must never reach into another service's database.
package postgres
