// Package postgres keeps profiles and CVs in the service's own database. The
// statements are in queries, the schema in migrations; package sqlc is made of
// both by `sqlc generate`.
//
// It holds no rules: it stores what package profile has checked, and gives back
// all of it. Who may see what is not decided here.
package postgres
