-- +goose NO TRANSACTION
-- +goose Up
-- For the names that nobody else may take.
DROP INDEX IF EXISTS accounts_verified;
CREATE INDEX CONCURRENTLY accounts_verified ON accounts (id) INCLUDE (name) WHERE verified_at IS NOT NULL AND closed_at IS NULL;

-- +goose Down
DROP INDEX accounts_verified;
