-- +goose Up

-- Secrets are stored as SHA-256 (bytea, 32 bytes), passwords as argon2id. Times come
-- from the service's clock, never from now(), so that all times come from one clock.

CREATE TABLE people (
  id text PRIMARY KEY,
  email text NOT NULL,
  -- The address in lower case: unique without regard to case.
  email_key text NOT NULL,
  email_verified boolean NOT NULL,
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX people_email_key ON people (email_key);

CREATE TABLE sessions (
  hash bytea PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sessions_person ON sessions (person_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('standard', 'elevated', 'custom')),
  -- The agreed budget of a custom plan; the named plans are configuration.
  per_minute integer,
  per_day integer,
  suspended_at timestamptz,
  created_at timestamptz NOT NULL,
  CHECK ((plan = 'custom') = (per_minute IS NOT NULL AND per_day IS NOT NULL))
);

CREATE TABLE apps (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  logo_url text NOT NULL,
  client_id text NOT NULL,
  client_type text NOT NULL CHECK (client_type IN ('confidential', 'public')),
  secret_hash bytea,
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  legacy boolean NOT NULL,
  created_at timestamptz NOT NULL,
  CHECK ((client_type = 'confidential') = (secret_hash IS NOT NULL))
);
CREATE UNIQUE INDEX apps_client_id ON apps (client_id);
CREATE INDEX apps_account ON apps (account_id);

CREATE TABLE api_keys (
  id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps (id),
  name text NOT NULL,
  hash bytea NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE INDEX api_keys_app ON api_keys (app_id, created_at DESC, id DESC) WHERE deleted_at IS NULL;

-- One person's consent to one app. The row is the lock of everything below it: a
-- transaction that ends or narrows a consent locks it first.
CREATE TABLE connections (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  app_id text NOT NULL REFERENCES apps (id),
  granted_scopes text[] NOT NULL,
  cv_sharing boolean NOT NULL,
  -- Scopes in force: the granted scopes, without those of the CV while sharing is off.
  scopes text[] NOT NULL GENERATED ALWAYS AS (
    CASE WHEN cv_sharing THEN granted_scopes
    ELSE array_remove(array_remove(granted_scopes, 'cv:read'), 'cv:contact') END) STORED,
  cv_id text NOT NULL,
  share_photo boolean NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE UNIQUE INDEX connections_live ON connections (person_id, app_id) WHERE ended_at IS NULL;

-- Durable CV links. The edge signs the id and resolves a link by the hash.
CREATE TABLE cv_links (
  id text PRIMARY KEY,
  hash bytea NOT NULL,
  connection_id text NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz
);
CREATE UNIQUE INDEX cv_links_hash ON cv_links (hash);
CREATE UNIQUE INDEX cv_links_live ON cv_links (connection_id) WHERE ended_at IS NULL;
CREATE INDEX cv_links_ended ON cv_links (ended_at) WHERE ended_at IS NOT NULL;
CREATE INDEX cv_links_connection ON cv_links (connection_id, ended_at);

-- A refresh token family. It holds the one live refresh token, so that a rotation, a
-- reuse and a revoke all lock this row. There is no foreign key to the connection: a
-- live token may outlast the row of its connection (CONNECTION_NOT_FOUND).
CREATE TABLE token_families (
  id text PRIMARY KEY,
  app_id text NOT NULL,
  connection_id text NOT NULL,
  scopes text[] NOT NULL,
  refresh_hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX token_families_refresh_hash ON token_families (refresh_hash);
CREATE INDEX token_families_connection ON token_families (connection_id);
CREATE INDEX token_families_expiry ON token_families (expires_at);
CREATE INDEX token_families_revoked ON token_families (revoked_at) WHERE revoked_at IS NOT NULL;

-- Refresh tokens that were rotated. They stay as long as their family, so that their
-- reuse is detected.
CREATE TABLE rotated_refresh_tokens (
  hash bytea PRIMARY KEY,
  family_id text NOT NULL REFERENCES token_families (id) ON DELETE CASCADE,
  rotated_at timestamptz NOT NULL
);
CREATE INDEX rotated_refresh_tokens_family ON rotated_refresh_tokens (family_id);

CREATE TABLE authorization_codes (
  hash bytea PRIMARY KEY,
  app_id text NOT NULL,
  connection_id text NOT NULL,
  redirect_uri text NOT NULL,
  code_challenge text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  used_at timestamptz,
  revoked_at timestamptz,
  -- The family that the exchange issued. The code stays as long as the family, so that
  -- its replay is detected.
  family_id text REFERENCES token_families (id) ON DELETE CASCADE
);
CREATE INDEX authorization_codes_unused ON authorization_codes (connection_id) WHERE used_at IS NULL;
CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at) WHERE used_at IS NULL;
CREATE INDEX authorization_codes_family ON authorization_codes (family_id) WHERE family_id IS NOT NULL;

CREATE TABLE access_tokens (
  hash bytea PRIMARY KEY,
  family_id text NOT NULL REFERENCES token_families (id) ON DELETE CASCADE,
  app_id text NOT NULL,
  connection_id text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE INDEX access_tokens_family ON access_tokens (family_id, expires_at);
CREATE INDEX access_tokens_connection ON access_tokens (connection_id, expires_at);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at);

-- Outbox of session records that must be deleted from Redis (package revocation). The
-- transaction that makes the records stale writes the row; the row is deleted when the
-- records are.
CREATE TABLE forget_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  -- True for every record of the account; hashes is then empty.
  whole_account boolean NOT NULL,
  hashes bytea[] NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX forget_outbox_created ON forget_outbox (created_at, id);

-- The scopes that both a and b hold, in the order of a.
-- +goose StatementBegin
CREATE FUNCTION common_scopes(a text[], b text[]) RETURNS text[]
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$ SELECT ARRAY(SELECT s FROM unnest(a) WITH ORDINALITY AS x (s, n) WHERE s = ANY (b) ORDER BY n) $$;
-- +goose StatementEnd

-- +goose Down
DROP FUNCTION common_scopes(text[], text[]);
DROP TABLE forget_outbox, access_tokens, authorization_codes, rotated_refresh_tokens, token_families,
  cv_links, connections, api_keys, apps, accounts, sessions, people;
