// Package postgres is the store of every domain package of auth: queries through
// sqlc (queries/*.sql, each with the index that serves it), migrations through
// goose.
//
// Locks are taken in one order, so that no two transactions wait for each other:
// connection, codes, families, access tokens, links. Exchanges and rotations lock
// one code or one family and nothing else. What ends a consent therefore locks
// the connection first, ends what is below it statement by statement, each of
// which waits for exchanges and rotations under way, and then reads what there is
// to forget: a token that a rotation issued just before is among it.
//
// It must never decide a rule that a domain package can decide.
package postgres
