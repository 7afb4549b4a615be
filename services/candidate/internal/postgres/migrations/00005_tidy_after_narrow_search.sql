-- +goose NO TRANSACTION
-- +goose Up

-- The rewrite of 00004 left Postgres without knowledge of which pages hold nothing
-- but visible rows, and autovacuum sees no reason to find out: until then, what
-- indexes could answer alone is read in the table.
VACUUM (ANALYZE) applications, application_search, job_numbers;

-- +goose Down
