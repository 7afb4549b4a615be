// Package backingtest runs servers that only tests use, as package backing runs Postgres and Redis:
// clusters of both, PgBouncer, and an S3 server.
package backingtest
