// Package postgres is the partner catalogue's store: its migrations today, the
// companies and jobs with the partner API.
//
// It must never reach into another service's database.
package postgres
