// Package backingtest runs servers that only tests use: clusters of Postgres and Redis, PgBouncer,
// and an S3 server. It is the counterpart of package backing, which also serves `make run`.
package backingtest
