-- +goose Up
-- Handles that a profile had until lately, by SHA-256 of their lower case: nobody else gets one before
-- free_at (behaviour: profiles#handles). The person is empty after a deletion.
CREATE TABLE released_handles (
  handle bytea PRIMARY KEY,
  person_id text NOT NULL,
  free_at timestamptz NOT NULL
);
CREATE INDEX released_handles_free ON released_handles (free_at);
CREATE INDEX released_handles_person ON released_handles (person_id);

-- +goose Down
DROP TABLE released_handles;
