-- +goose NO TRANSACTION
-- +goose Up

-- The rewrite of applications in 00004 left Postgres without knowledge of which
-- pages hold nothing but visible rows, and counts as no change for which autovacuum
-- would find out: until then, what indexes could answer alone is read in the table.
-- The statistics of the new tables are wanted at once.
VACUUM (ANALYZE) applications, application_search, job_numbers;

-- +goose Down
