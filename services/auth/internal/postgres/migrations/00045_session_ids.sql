-- +goose NO TRANSACTION
-- +goose Up
-- For what ends with a session of the pages. It is built while others write.
DROP INDEX IF EXISTS sessions_id;
CREATE UNIQUE INDEX CONCURRENTLY sessions_id ON sessions (id);

-- +goose Down
DROP INDEX sessions_id;
