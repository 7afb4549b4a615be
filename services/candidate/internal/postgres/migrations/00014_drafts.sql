-- +goose Up
-- What people have written in a form and not saved, by the CV: 'master' for the profile
-- (behaviour: profiles#autosave). No app and no page for others reads it.
CREATE SEQUENCE draft_revisions;
CREATE TABLE drafts (
  person_id text NOT NULL,
  document text NOT NULL,
  -- The names and values of the form, as a browser sends them.
  form text NOT NULL,
  -- The version of what the form was made from.
  version bigint NOT NULL,
  -- Another number after each write.
  revision bigint NOT NULL,
  saved_at timestamptz NOT NULL,
  PRIMARY KEY (person_id, document)
);

-- +goose Down
DROP TABLE drafts;
DROP SEQUENCE draft_revisions;
