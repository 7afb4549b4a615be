-- +goose Up

-- What a person sees of their sessions. Replicas of the release before write none of it: the
-- id comes from the default, the rest is not known then.
ALTER TABLE sessions ADD COLUMN id text NOT NULL DEFAULT gen_random_uuid()::text;
-- The browser and the system of its machine by their names, as the gateway reads them from
-- the User-Agent; empty for those that it does not know.
ALTER TABLE sessions ADD COLUMN browser text NOT NULL DEFAULT '';
ALTER TABLE sessions ADD COLUMN system text NOT NULL DEFAULT '';
-- The last use, noted at most once a minute; null before the first that was noted.
ALTER TABLE sessions ADD COLUMN used_at timestamptz;

-- +goose Down
ALTER TABLE sessions DROP COLUMN id, DROP COLUMN browser, DROP COLUMN system, DROP COLUMN used_at;
