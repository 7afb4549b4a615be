-- +goose NO TRANSACTION
-- +goose Up

-- Migration 00004 rewrote the table applications. After that, Postgres does not know
-- which pages hold only visible rows, and autovacuum does not count a rewrite as a change.
-- Without this VACUUM, queries that an index could answer alone would read the table. It
-- also takes the statistics of the new tables at once.
VACUUM (ANALYZE) applications, application_search, job_numbers;

-- +goose Down
