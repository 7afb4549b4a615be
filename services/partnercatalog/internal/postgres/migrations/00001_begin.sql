-- Only the service's own role may use its database.

-- +goose Up
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- +goose Down
GRANT USAGE ON SCHEMA public TO PUBLIC;
