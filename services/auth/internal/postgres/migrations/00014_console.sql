-- +goose Up

-- What the developer console needs of auth: members of accounts and their roles,
-- invitations, sessions, and what becomes of an account (behaviour: console).

-- created_by is the person who made the account; empty for one that an operator made. A
-- closed account is suspended too, for replicas of the release before.
ALTER TABLE accounts
  ADD COLUMN verified_at timestamptz,
  ADD COLUMN closed_at timestamptz,
  ADD COLUMN created_by text NOT NULL DEFAULT '';
CREATE INDEX accounts_list ON accounts (lower(name) COLLATE "C", id) WHERE closed_at IS NULL;
CREATE INDEX accounts_creator ON accounts (created_by) WHERE created_by <> '' AND closed_at IS NULL;

-- For finding people by the beginning of their address.
CREATE INDEX people_email_beginning ON people (email_key COLLATE "C");

-- The row of the account is the lock of its team: whatever changes members or invitations
-- locks it first.
CREATE TABLE members (
  account_id text NOT NULL REFERENCES accounts (id),
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  role text NOT NULL CHECK (role IN ('viewer', 'developer', 'owner')),
  created_at timestamptz NOT NULL,
  PRIMARY KEY (account_id, person_id)
);
CREATE INDEX members_person ON members (person_id);

-- Open invitations, and expired ones until they are cleaned up. An invitation that was
-- accepted, withdrawn or replaced has no row.
CREATE TABLE invitations (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  email text NOT NULL,
  -- The address in lower case, as in people.
  email_key text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'developer', 'owner')),
  hash bytea NOT NULL,
  -- The person, or the certificate name of the caller, who made it.
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX invitations_hash ON invitations (hash);
CREATE UNIQUE INDEX invitations_account ON invitations (account_id, email_key);
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- The app with which the console signs people in. There is one at most.
ALTER TABLE apps ADD COLUMN is_console boolean NOT NULL DEFAULT false;
CREATE UNIQUE INDEX apps_console ON apps (is_console) WHERE is_console;

CREATE TABLE console_sessions (
  hash bytea PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  connection_id text NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  -- The last use, noted at most once a minute.
  used_at timestamptz NOT NULL,
  -- When it ends even if it is used.
  expires_at timestamptz NOT NULL
);
CREATE INDEX console_sessions_connection ON console_sessions (connection_id);
CREATE INDEX console_sessions_person ON console_sessions (person_id);
CREATE INDEX console_sessions_expiry ON console_sessions (expires_at);

-- The name of a person who has connected the console, from the profile. It is kept with
-- the permission to read it.
CREATE TABLE console_names (
  connection_id text PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  name text NOT NULL
);
CREATE INDEX console_names_person ON console_names (person_id);

-- A connection can end in several ways; each takes what the console keeps by it. The reads
-- check the connection too, for a session that is opened at the same moment.
-- +goose StatementBegin
CREATE FUNCTION forget_console_connection() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  DELETE FROM console_sessions WHERE connection_id = NEW.id;
  DELETE FROM console_names WHERE connection_id = NEW.id;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER connections_console AFTER UPDATE OF ended_at ON connections
FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
EXECUTE FUNCTION forget_console_connection();

-- For ending all connections of an account's apps.
CREATE INDEX IF NOT EXISTS connections_app ON connections (app_id) WHERE ended_at IS NULL;

-- +goose Down
DROP INDEX connections_app;
DROP TRIGGER connections_console ON connections;
DROP FUNCTION forget_console_connection();
DROP TABLE console_names, console_sessions, invitations, members;
ALTER TABLE apps DROP COLUMN is_console;
DROP INDEX people_email_beginning;
ALTER TABLE accounts DROP COLUMN verified_at, DROP COLUMN closed_at, DROP COLUMN created_by;
