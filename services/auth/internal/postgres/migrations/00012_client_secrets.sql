-- +goose Up

-- The secrets of confidential clients. An app has at most two rows: a rotation deletes
-- what is neither its new secret nor the one that lives on beside it.
CREATE TABLE client_secrets (
  id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- The certificate name of who made it; empty if that is not known.
  created_by text NOT NULL,
  -- The last use, noted at most once an hour.
  last_used_at timestamptz,
  -- The moment at which it stops working; NULL for never.
  expires_at timestamptz
);
CREATE UNIQUE INDEX client_secrets_hash ON client_secrets (hash);
CREATE INDEX client_secrets_app ON client_secrets (app_id);

-- For counting what ends soon.
CREATE INDEX client_secrets_expiry ON client_secrets (expires_at) WHERE expires_at IS NOT NULL;
CREATE INDEX api_keys_expiry ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND deleted_at IS NULL;

-- Replicas of the release before know one secret for each app, in apps.secret_hash. They
-- check against it, so it holds the newest secret. What they write there, this trigger
-- brings into the table. For replicas of this release, which write the row first, it does
-- nothing. The time is this server's, since no other is at hand; the row is the only one of
-- its app, so it is the newest whatever the time is, and a rotation gives its own a later one.
-- +goose StatementBegin
CREATE FUNCTION keep_client_secret() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  IF NOT EXISTS (SELECT FROM client_secrets WHERE hash = NEW.secret_hash) THEN
    DELETE FROM client_secrets WHERE app_id = NEW.id;
    INSERT INTO client_secrets (id, app_id, hash, created_at, created_by)
    VALUES ('sec_' || replace(gen_random_uuid()::text, '-', ''), NEW.id, NEW.secret_hash, clock_timestamp(), '');
  END IF;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER apps_client_secret AFTER INSERT OR UPDATE OF secret_hash ON apps
FOR EACH ROW WHEN (NEW.secret_hash IS NOT NULL)
EXECUTE FUNCTION keep_client_secret();

-- The trigger's lock keeps replicas of the release before from changing a secret between
-- this copy and the end of the migration. When a secret was rotated is not known; the app
-- is at least as old.
INSERT INTO client_secrets (id, app_id, hash, created_at, created_by)
SELECT 'sec_' || replace(gen_random_uuid()::text, '-', ''), id, secret_hash, created_at, ''
FROM apps WHERE secret_hash IS NOT NULL;

-- +goose Down
DROP INDEX api_keys_expiry;
DROP TRIGGER apps_client_secret ON apps;
DROP FUNCTION keep_client_secret();
DROP TABLE client_secrets;
