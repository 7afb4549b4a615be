// Package postgres keeps profiles, CVs, applications and what is known of resumes
// in the service's own database. The statements are in queries, the schema in
// migrations; package sqlc is made of both by `sqlc generate`.
//
// It holds no rules: it stores what the domain has checked, and gives back all of
// it. Who may see what is not decided here.
package postgres
