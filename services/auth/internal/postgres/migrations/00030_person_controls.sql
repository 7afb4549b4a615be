-- +goose Up

-- What a person takes back from an app (behaviour: sign-in#withdrawing-a-permission), a
-- pause (behaviour: sign-in#pausing-an-app), and when access ends
-- (behaviour: sign-in#access-that-ends-by-itself).
ALTER TABLE connections
  -- Granted scopes that the person has taken back. Those of the CV go by cv_sharing.
  ADD COLUMN withheld text[] NOT NULL DEFAULT '{}',
  -- Whether the photo was granted and taken back. share_photo is false then.
  ADD COLUMN photo_withheld boolean NOT NULL DEFAULT false,
  ADD COLUMN paused_at timestamptz,
  ADD COLUMN ends_at timestamptz;
CREATE INDEX connections_ending ON connections (ends_at) WHERE ends_at IS NOT NULL AND ended_at IS NULL;

-- An app may be connected by the legacy interface too. What ends or changes both at once
-- writes one entry for the two. A replica of the release before that publishes an entry which
-- was left by a crash deletes the records of one; those of the other live ten seconds.
ALTER TABLE forget_outbox ADD COLUMN other_connection_id text NOT NULL DEFAULT '';

-- A trigger keeps the scopes in force. To give the column another expression would write
-- the table anew while everybody waits. All releases read the column, so a replica of the
-- release before obeys what a person takes back here as well.
ALTER TABLE connections ALTER COLUMN scopes DROP EXPRESSION;
-- +goose StatementBegin
CREATE FUNCTION scopes_in_force() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF NEW.paused_at IS NOT NULL THEN
    NEW.scopes := '{}';
  ELSE
    NEW.scopes := ARRAY(
      SELECT s FROM unnest(NEW.granted_scopes) WITH ORDINALITY AS x (s, n)
      WHERE s <> ALL (NEW.withheld) AND (NEW.cv_sharing OR s NOT IN ('cv:read', 'cv:contact'))
      ORDER BY n);
  END IF;
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER connections_scopes BEFORE INSERT OR UPDATE OF granted_scopes, cv_sharing, withheld, paused_at ON connections
FOR EACH ROW EXECUTE FUNCTION scopes_in_force();

-- A new consent replaces what the person has taken back, and ends a pause. Triggers run in
-- the order of their names, so this one comes before connections_scopes.
-- +goose StatementBegin
CREATE FUNCTION consent_anew() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  NEW.withheld := '{}';
  NEW.photo_withheld := false;
  NEW.paused_at := NULL;
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER connections_consented BEFORE UPDATE OF granted_scopes ON connections
FOR EACH ROW EXECUTE FUNCTION consent_anew();

-- A paused connection with the console's app has no sessions there.
CREATE TRIGGER connections_console_paused AFTER UPDATE OF paused_at ON connections
FOR EACH ROW WHEN (OLD.paused_at IS NULL AND NEW.paused_at IS NOT NULL)
EXECUTE FUNCTION forget_console_connection();

-- +goose Down
DROP TRIGGER connections_console_paused ON connections;
DROP TRIGGER connections_consented ON connections;
DROP TRIGGER connections_scopes ON connections;
DROP FUNCTION consent_anew(), scopes_in_force();
ALTER TABLE connections DROP COLUMN scopes;
ALTER TABLE connections ADD COLUMN scopes text[] NOT NULL GENERATED ALWAYS AS (
  CASE WHEN cv_sharing THEN granted_scopes
  ELSE array_remove(array_remove(granted_scopes, 'cv:read'), 'cv:contact') END) STORED;
ALTER TABLE forget_outbox DROP COLUMN other_connection_id;
DROP INDEX connections_ending;
ALTER TABLE connections DROP COLUMN ends_at, DROP COLUMN paused_at, DROP COLUMN photo_withheld, DROP COLUMN withheld;
