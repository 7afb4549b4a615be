// Package postgres keeps companies and jobs in the service's own database. The
// statements are in queries, the schema in migrations; package sqlc is made of
// both by `sqlc generate`.
//
// It holds no rules: it stores what the domain packages have checked, and gives
// back all of it. Who may see what is not decided here. It must never reach into
// another service's database.
package postgres
