-- The beginning of the catalogue's history: tables follow with the partner API.
-- Nobody but the service's own role has business in its database.

-- +goose Up
REVOKE ALL ON SCHEMA public FROM PUBLIC;

-- +goose Down
GRANT USAGE ON SCHEMA public TO PUBLIC;
