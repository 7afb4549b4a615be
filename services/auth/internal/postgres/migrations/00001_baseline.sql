-- +goose Up

-- The schema of auth, by subject: people, developer accounts, connections, tokens, console,
-- emails, usage and request log, deletion of people, audit log.
--
-- Secrets are stored as SHA-256 (bytea, 32 bytes), passwords as argon2id. Times come from the
-- service's clock, never from now(), so that all times come from one clock. Text that may be
-- absent is empty.

-- True until the given time by this server's clock, and an error afterwards. A statement
-- that calls it has no effect if it runs after its caller has given up. The caller knows
-- the time by this clock (postgres.Deadline in pkg). The code says that the server
-- canceled the statement, which callers take for a service that is unavailable.
-- +goose StatementBegin
CREATE FUNCTION in_time(until timestamptz) RETURNS boolean
LANGUAGE plpgsql VOLATILE
AS $$
BEGIN
  IF clock_timestamp() > until THEN
    RAISE EXCEPTION 'the caller has given up' USING ERRCODE = 'query_canceled';
  END IF;
  RETURN true;
END
$$;
-- +goose StatementEnd

-- People

CREATE TABLE people (
  id text PRIMARY KEY,
  email text NOT NULL,
  -- The address in lower case: unique without regard to case.
  email_key text NOT NULL,
  email_verified boolean NOT NULL,
  -- Empty for a person with passkeys alone, which no password matches.
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  -- A browser is known only if somebody has signed in there since, so changing a password
  -- takes the privilege from every browser.
  password_set_at timestamptz NOT NULL DEFAULT 'epoch',
  -- The language of emails, a BCP 47 tag; null if it is not known.
  locale text
);
CREATE UNIQUE INDEX people_email_key ON people (email_key);
-- Finds people by the beginning of their address.
CREATE INDEX people_email_beginning ON people (email_key COLLATE "C");

CREATE TABLE sessions (
  hash bytea PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  id text NOT NULL DEFAULT gen_random_uuid()::text,
  -- The browser and the system of its machine by their names, as the gateway reads them from
  -- the User-Agent; empty for unknown ones.
  browser text NOT NULL DEFAULT '',
  system text NOT NULL DEFAULT '',
  -- The last use, noted at most once a minute; null before the first.
  used_at timestamptz,
  -- When the person last proved their identity after the sign-in, by a password or a passkey.
  proved_at timestamptz,
  -- The language of the page of the sign-in, a BCP 47 tag. A notice is written in it unless
  -- the account has a language.
  locale text NOT NULL DEFAULT '',
  -- Where the person was at the last use, ISO 3166-1 alpha-2. No address is stored.
  country text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_person ON sessions (person_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Browsers in which people have signed in, by the hash of the token in their device
-- cookie. A browser that several people use has one token and a row for each.
CREATE TABLE devices (
  hash bytea NOT NULL,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  -- The last sign-in with the right password.
  signed_in_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- Wrong passwords since then.
  failures integer NOT NULL DEFAULT 0,
  -- A browser that gets a new token keeps the other people who signed in there as candidates:
  -- each of them knows the new token only after a sign-in with it. Until then this is the
  -- token by which the person knows the browser, and the row has no effect.
  moved_from bytea,
  PRIMARY KEY (hash, person_id)
);
CREATE INDEX devices_person ON devices (person_id, signed_in_at);
CREATE INDEX devices_expiry ON devices (expires_at);

-- How much of the budgets of guesses is used, by the SHA-256 of the email address, whether
-- or not it has an account. A row whose both times have passed means the same as none.
CREATE TABLE sign_in_ceilings (
  account bytea PRIMARY KEY,
  open_until timestamptz NOT NULL,
  turns_until timestamptz NOT NULL
);
CREATE INDEX sign_in_ceilings_idle ON sign_in_ceilings (greatest(open_until, turns_until));

-- Turns of browsers that came back after they had been refused.
CREATE TABLE sign_in_turns (
  account bytea NOT NULL,
  device bytea NOT NULL,
  due_at timestamptz NOT NULL,
  booked boolean NOT NULL,
  failures integer NOT NULL,
  PRIMARY KEY (account, device)
);
CREATE INDEX sign_in_turns_due ON sign_in_turns (due_at);

-- Accounts that somebody wants and whose email address is not verified yet. They are no
-- people: nobody signs in to them.
CREATE TABLE sign_ups (
  -- SHA-256 of the id of the link in the email.
  hash bytea PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  locale text NOT NULL,
  -- Where the browser goes afterwards; empty for the usual page.
  return_path text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ups_email ON sign_ups (email_key);
CREATE INDEX sign_ups_expiry ON sign_ups (expires_at);

-- Links with which a forgotten password is replaced. There is one for an address without an
-- account too, so that a request costs the same for every address.
CREATE TABLE password_resets (
  hash bytea PRIMARY KEY,
  email_key text NOT NULL,
  return_path text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The id of the link, so that a later request sends the same link again. Without the keys
  -- of auth it opens nothing.
  link text NOT NULL DEFAULT ''
);
CREATE INDEX password_resets_email ON password_resets (email_key);
CREATE INDEX password_resets_expiry ON password_resets (expires_at);

-- Outbox of the profiles that candidate makes for people who have signed up.
CREATE TABLE new_profiles (
  person_id text PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX new_profiles_created ON new_profiles (created_at);

-- Passkeys of people (behaviour: accounts#passkeys): discoverable WebAuthn credentials.
CREATE TABLE passkeys (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  -- The id that the authenticator gave it (WebAuthn §4, "Credential ID").
  credential_id bytea NOT NULL,
  -- The public key in COSE form (RFC 9052).
  public_key bytea NOT NULL,
  -- The last flags and signature counter of the authenticator (WebAuthn §6.1, §6.1.1).
  -- Passkeys that are stored on several devices count nothing.
  flags smallint NOT NULL,
  sign_count bigint NOT NULL,
  -- The model of the authenticator, 16 bytes, all zero if unknown.
  aaguid bytea NOT NULL,
  -- How the browser reached the authenticator (WebAuthn §5.8.4).
  transports text[] NOT NULL,
  -- What its person calls it.
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  -- The last sign-in or proof with it; null before the first.
  used_at timestamptz
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_person ON passkeys (person_id, created_at);

-- Ceremonies that have begun: a browser received a challenge and has not answered yet. A row
-- goes with the first answer, right or wrong, and lives for minutes.
CREATE TABLE passkey_ceremonies (
  -- SHA-256 of the challenge.
  hash bytea PRIMARY KEY,
  -- What it is for, and the SHA-256 of that and of what it is bound to: a session, a browser
  -- without one, or the link of an email.
  purpose text NOT NULL,
  binding bytea NOT NULL,
  -- What the library keeps between the two halves (webauthn.SessionData).
  state jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_ceremonies_expiry ON passkey_ceremonies (expires_at);

-- Developer accounts, their teams, apps and credentials

-- The row is the lock of the account's team: whatever changes members or invitations locks it
-- first.
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
  verified_at timestamptz,
  -- A closed account is suspended too.
  closed_at timestamptz,
  -- The person who made the account; empty for one that an operator made.
  created_by text NOT NULL DEFAULT '',
  -- What an operator has told the members of a suspended account.
  suspension_reason text NOT NULL DEFAULT '',
  CHECK ((plan = 'custom') = (per_minute IS NOT NULL AND per_day IS NOT NULL))
);
CREATE INDEX accounts_list ON accounts (lower(name) COLLATE "C", id) WHERE closed_at IS NULL;
-- The names that nobody else may take.
CREATE INDEX accounts_verified ON accounts (id) INCLUDE (name) WHERE verified_at IS NOT NULL AND closed_at IS NULL;
CREATE INDEX accounts_email ON accounts (lower(email));
CREATE INDEX accounts_creator ON accounts (created_by) WHERE created_by <> '' AND closed_at IS NULL;
CREATE INDEX accounts_closed_creator ON accounts (created_by) WHERE created_by <> '' AND closed_at IS NOT NULL;

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
CREATE INDEX invitations_email ON invitations (email_key);
CREATE INDEX invitations_maker ON invitations (created_by) WHERE created_by <> '';
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- Requests of accounts for another plan. An account has one open request at most.
CREATE TABLE plan_requests (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  plan text NOT NULL CHECK (plan IN ('standard', 'elevated', 'custom')),
  per_minute integer,
  per_day integer,
  reason text NOT NULL,
  state text NOT NULL CHECK (state IN ('open', 'granted', 'refused')),
  note text NOT NULL DEFAULT '',
  created_at timestamptz NOT NULL,
  created_by text NOT NULL,
  decided_at timestamptz,
  decided_by text NOT NULL DEFAULT '',
  CHECK ((plan = 'custom') = (per_minute IS NOT NULL AND per_day IS NOT NULL)),
  CHECK ((state = 'open') = (decided_at IS NULL))
);
CREATE UNIQUE INDEX plan_requests_open ON plan_requests (account_id) WHERE state = 'open';
CREATE INDEX plan_requests_account ON plan_requests (account_id, created_at DESC, id DESC);
CREATE INDEX plan_requests_created ON plan_requests (created_at DESC, id DESC);
CREATE INDEX plan_requests_waiting ON plan_requests (created_at DESC, id DESC) WHERE state = 'open';
CREATE INDEX plan_requests_maker ON plan_requests (created_by) WHERE created_by <> '';

-- An app that was deleted keeps its row, for its name. An app of a closed account is a deleted
-- one.
CREATE TABLE apps (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  name text NOT NULL,
  logo_url text NOT NULL,
  client_id text NOT NULL,
  client_type text NOT NULL CHECK (client_type IN ('confidential', 'public')),
  redirect_uris text[] NOT NULL,
  scopes text[] NOT NULL,
  legacy boolean NOT NULL,
  created_at timestamptz NOT NULL,
  -- The app with which the console signs people in. There is one at most.
  is_console boolean NOT NULL DEFAULT false,
  description text NOT NULL DEFAULT '',
  homepage text NOT NULL DEFAULT '',
  privacy_policy text NOT NULL DEFAULT '',
  terms text NOT NULL DEFAULT '',
  support text NOT NULL DEFAULT '',
  created_by text NOT NULL DEFAULT '',
  -- Null until the first change.
  updated_at timestamptz,
  deleted_at timestamptz,
  -- The version of the logo in app_logos; empty for none.
  logo_version text NOT NULL DEFAULT '',
  -- Counts the changes of scopes. scopes_since has, for each of scopes, the count from
  -- which on the app holds it without a break; what is missing there counts as 0.
  scopes_version integer NOT NULL DEFAULT 0,
  scopes_since integer[] NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX apps_client_id ON apps (client_id);
CREATE UNIQUE INDEX apps_console ON apps (is_console) WHERE is_console;
CREATE INDEX apps_account ON apps (account_id);
CREATE INDEX apps_deleted ON apps (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX apps_maker ON apps (created_by) WHERE created_by <> '';

-- Logos, encoded by this service. The version is made from the bytes.
CREATE TABLE app_logos (
  app_id text PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE,
  version text NOT NULL,
  jpeg bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- The secrets of confidential clients. An app has at most two rows: a rotation deletes
-- all but its new secret and the one that stays valid for some time.
CREATE TABLE client_secrets (
  id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- The person, or the certificate name of the caller, who made it; empty if unknown.
  created_by text NOT NULL,
  -- The last use, noted at most once an hour.
  last_used_at timestamptz,
  -- When it stops working; null for never.
  expires_at timestamptz
);
CREATE UNIQUE INDEX client_secrets_hash ON client_secrets (hash);
CREATE INDEX client_secrets_app ON client_secrets (app_id);
CREATE INDEX client_secrets_maker ON client_secrets (created_by) WHERE created_by <> '';
-- Counts what ends soon.
CREATE INDEX client_secrets_expiry ON client_secrets (expires_at) WHERE expires_at IS NOT NULL;

-- Deleted keys stay, for their names.
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps (id),
  name text NOT NULL,
  hash bytea NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- The last four characters of the key.
  hint text NOT NULL DEFAULT '',
  created_by text NOT NULL DEFAULT '',
  last_used_at timestamptz
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE INDEX api_keys_app ON api_keys (app_id, created_at DESC, id DESC);
CREATE INDEX api_keys_maker ON api_keys (created_by) WHERE created_by <> '';
-- Counts what ends soon.
CREATE INDEX api_keys_expiry ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND deleted_at IS NULL;

-- Connections: what people share with apps

-- One person's consent to one app. The row is the lock of everything below it: a
-- transaction that ends or narrows a consent locks it first.
CREATE TABLE connections (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  app_id text NOT NULL REFERENCES apps (id),
  granted_scopes text[] NOT NULL,
  cv_sharing boolean NOT NULL,
  -- The scopes in force, which connections_scopes computes.
  scopes text[] NOT NULL,
  cv_id text NOT NULL,
  share_photo boolean NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- The consent of the older interface is another connection than the one that the app may
  -- have otherwise (behaviour: legacy#a-connection-of-its-own).
  legacy boolean NOT NULL DEFAULT false,
  -- The version of the address of the photo (behaviour: photos#when-an-address-dies). The
  -- gateway signs it together with the connection's id. A new version ends the address.
  photo_version integer NOT NULL DEFAULT 0,
  -- The app's scopes_version at the last consent.
  scopes_version integer NOT NULL DEFAULT 0,
  -- Granted scopes that the person has withdrawn (behaviour: sign-in#withdrawing-a-permission).
  -- Those of the CV go by cv_sharing.
  withheld text[] NOT NULL DEFAULT '{}',
  -- Whether the photo was granted and withdrawn. share_photo is false then.
  photo_withheld boolean NOT NULL DEFAULT false,
  paused_at timestamptz,
  -- When access ends by itself (behaviour: sign-in#access-that-ends-by-itself).
  ends_at timestamptz,
  -- What the person was offered at the last consent and left out. Asking for it again is not
  -- new, so it does not bring back the whole consent page (behaviour: sign-in#coming-back).
  declined_scopes text[] NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX connections_live ON connections (person_id, app_id, legacy) WHERE ended_at IS NULL;
CREATE INDEX connections_person ON connections (person_id);
CREATE INDEX connections_app ON connections (app_id) WHERE ended_at IS NULL;
CREATE INDEX connections_ending ON connections (ends_at) WHERE ends_at IS NOT NULL AND ended_at IS NULL;

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

-- A new consent replaces what the person has withdrawn, and ends a pause. Triggers run in
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

-- The next functions are in PL/pgSQL, which keeps a plan per connection: Postgres plans a
-- function in SQL again for every statement that calls it, unless it can be inlined, which one
-- with a subquery cannot. Nearly always a connection has all scopes that they are asked about;
-- then they compute nothing, because a comparison costs a hundredth of a query.

-- The scopes that both a and b hold, in the order of a.
-- +goose StatementBegin
CREATE FUNCTION common_scopes(a text[], b text[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  IF a <@ b THEN
    RETURN a;
  END IF;
  RETURN ARRAY(SELECT s FROM unnest(a) WITH ORDINALITY AS x (s, n) WHERE s = ANY (b) ORDER BY n);
END
$$;
-- +goose StatementEnd

-- The scopes of a consent that its app has held ever since, in their order
-- (behaviour: apps#a-scope-that-an-app-loses). The scope of the older interface is not
-- among an app's scopes: the mark legacy stands for it.
-- +goose StatementBegin
CREATE FUNCTION held_scopes(scopes text[], consented integer, app_scopes text[], app_since integer[]) RETURNS text[]
LANGUAGE plpgsql IMMUTABLE PARALLEL SAFE
AS $$
BEGIN
  IF scopes <@ array_append(app_scopes, 'profile:read') AND consented >= 0 AND consented >= ALL (app_since) THEN
    RETURN scopes;
  END IF;
  RETURN ARRAY(
    SELECT s FROM unnest(scopes) WITH ORDINALITY AS x (s, n)
    WHERE s = 'profile:read' OR EXISTS (
      SELECT FROM unnest(app_scopes, app_since) AS h (scope, since) WHERE h.scope = s AND coalesce(h.since, 0) <= consented)
    ORDER BY n);
END
$$;
-- +goose StatementEnd

-- Durable CV links. The gateway signs the id and resolves a link by the hash.
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

-- Tokens

-- A refresh token family. It holds the one live refresh token, so that a rotation, a
-- reuse and a revoke all lock this row. There is no foreign key to the connection: a
-- live token may outlast the row of its connection (CONNECTION_NOT_FOUND).
CREATE TABLE token_families (
  id text PRIMARY KEY,
  app_id text NOT NULL,
  connection_id text NOT NULL,
  scopes text[] NOT NULL,
  -- A grant of the older interface has no refresh token. A replay of its code ends its
  -- family, which expires at least a month after its access token.
  refresh_hash bytea,
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
  family_id text REFERENCES token_families (id) ON DELETE CASCADE,
  -- The session of the pages in which it was issued.
  session_id text NOT NULL DEFAULT ''
);
CREATE INDEX authorization_codes_unused ON authorization_codes (connection_id) WHERE used_at IS NULL;
CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at) WHERE used_at IS NULL;
CREATE INDEX authorization_codes_family ON authorization_codes (family_id) WHERE family_id IS NOT NULL;

-- Whether the redirect URI of a code is still registered. It was checked in full when the
-- code was issued; a loopback URI that is registered without a port matches with any
-- (RFC 8252 §7.3).
-- +goose StatementBegin
CREATE FUNCTION still_registered(registered text[], uri text) RETURNS boolean
LANGUAGE sql IMMUTABLE PARALLEL SAFE
AS $$
  SELECT uri = ANY (registered)
    OR regexp_replace(uri, '^(http://(127\.0\.0\.1|\[::1\]|localhost)):[0-9]+', '\1') = ANY (registered)
$$;
-- +goose StatementEnd

CREATE TABLE access_tokens (
  hash bytea PRIMARY KEY,
  family_id text NOT NULL REFERENCES token_families (id) ON DELETE CASCADE,
  app_id text NOT NULL,
  connection_id text NOT NULL,
  scopes text[] NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz,
  -- A token of the older interface stays as long as its family, so that the service can tell
  -- that it has expired. Other expired tokens are deleted soon.
  legacy boolean NOT NULL DEFAULT false
);
CREATE INDEX access_tokens_family ON access_tokens (family_id, expires_at);
CREATE INDEX access_tokens_connection ON access_tokens (connection_id, expires_at);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at) WHERE NOT legacy;

-- Whatever ends a durable link, a token family or the permission ends the address of the photo
-- too, in the same transaction. All of them hold the lock of the connection's row already.
-- A photo that is shared again has another address.
-- +goose StatementBegin
CREATE FUNCTION end_unshared_photo_address() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  NEW.photo_version := OLD.photo_version + 1;
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER connections_photo_unshared BEFORE UPDATE OF share_photo ON connections
FOR EACH ROW WHEN (OLD.share_photo AND NOT NEW.share_photo)
EXECUTE FUNCTION end_unshared_photo_address();

-- +goose StatementBegin
CREATE FUNCTION end_photo_address() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  UPDATE connections SET photo_version = photo_version + 1 WHERE id = NEW.connection_id;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER cv_links_photo AFTER UPDATE OF ended_at ON cv_links
FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
EXECUTE FUNCTION end_photo_address();
CREATE TRIGGER token_families_photo AFTER UPDATE OF revoked_at ON token_families
FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
EXECUTE FUNCTION end_photo_address();

-- Outbox of session records that must be deleted from Redis (package revocation). The
-- transaction that makes the records stale writes the row; the row is deleted when the
-- records are.
CREATE TABLE forget_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  -- True for every record of the account; hashes is then empty.
  whole_account boolean NOT NULL,
  hashes bytea[] NOT NULL,
  created_at timestamptz NOT NULL,
  -- A row for a connection names the connection instead of listing hashes: a list that
  -- is made inside the transaction misses tokens that other transactions commit before
  -- this one commits. Empty in rows that list hashes or name the whole account.
  connection_id text NOT NULL DEFAULT '',
  -- The app may be connected by the older interface too. What ends or changes both at once
  -- writes one row for the two.
  other_connection_id text NOT NULL DEFAULT ''
);
CREATE INDEX forget_outbox_created ON forget_outbox (created_at, id);
CREATE INDEX forget_outbox_account ON forget_outbox (account_id);

-- Developer console

CREATE TABLE console_sessions (
  hash bytea PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  connection_id text NOT NULL REFERENCES connections (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  -- The last use, noted at most once a minute.
  used_at timestamptz NOT NULL,
  -- When it ends even if it is used.
  expires_at timestamptz NOT NULL,
  -- It ends with the session of the pages that it was opened from.
  browser_session text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX console_sessions_connection ON console_sessions (connection_id);
CREATE INDEX console_sessions_person ON console_sessions (person_id);
CREATE INDEX console_sessions_browser ON console_sessions (browser_session);
CREATE INDEX console_sessions_expiry ON console_sessions (expires_at);

-- The forms of the console that were sent and make something, so that none makes it twice
-- (behaviour: console#a-form-that-is-sent-again). A form is valid in its session only.
CREATE TABLE console_forms (
  session bytea NOT NULL REFERENCES console_sessions (hash) ON DELETE CASCADE,
  form text NOT NULL,
  PRIMARY KEY (session, form)
);

-- The name of a person who has connected the console, from the profile. It is stored as long
-- as the permission to read it.
CREATE TABLE console_names (
  connection_id text PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  name text NOT NULL
);
CREATE INDEX console_names_person ON console_names (person_id);

-- A connection with the console's app that ends or is paused takes its sessions and the name
-- with it. The reads check the connection too, for a session that is opened at the same time.
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
CREATE TRIGGER connections_console_paused AFTER UPDATE OF paused_at ON connections
FOR EACH ROW WHEN (OLD.paused_at IS NULL AND NEW.paused_at IS NOT NULL)
EXECUTE FUNCTION forget_console_connection();

-- Emails

-- Outbox of emails (package mail). A row is written in the transaction of the event that the
-- email reports, and is deleted when a server has accepted the email. The text is made when it
-- is sent, so no row holds a text or a link that works.
CREATE TABLE mail_outbox (
  -- The Message-ID is made of it, so that an email that is sent twice is one email.
  id text PRIMARY KEY,
  kind text NOT NULL,
  -- The address as it was given, and in lower case, as in people. Whether it has an account
  -- is checked when the email is sent.
  email text NOT NULL,
  email_key text NOT NULL,
  -- The id of the link in the email, which only a signature makes a link; empty for none.
  link text NOT NULL,
  locale text NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the next attempt is due. A replica that sends the email moves it ahead, so that no
  -- other sends it at the same time.
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- When the email is of no use any more.
  expires_at timestamptz NOT NULL,
  -- What a notice says: the browser by the names that its session has, the app that it is
  -- about, and the country of the session; all empty for other emails.
  browser text NOT NULL DEFAULT '',
  system text NOT NULL DEFAULT '',
  app_id text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT '',
  -- The account that an email is about, and the person who has made a credential or joined;
  -- empty for other emails.
  account_id text NOT NULL DEFAULT '',
  subject_id text NOT NULL DEFAULT ''
);
CREATE INDEX mail_outbox_due ON mail_outbox (due_at);
CREATE INDEX mail_outbox_created ON mail_outbox (created_at);
CREATE INDEX mail_outbox_email ON mail_outbox (email_key);

-- How much is used of the emails that anybody may have sent to an address, by the SHA-256 of
-- the address in lower case. A row whose time has passed means the same as none.
CREATE TABLE mail_budgets (
  address bytea PRIMARY KEY,
  full_at timestamptz NOT NULL
);
CREATE INDEX mail_budgets_full ON mail_budgets (full_at);

-- Usage and request log
--
-- There is no foreign key to accounts, since it would lock the account's row for every batch;
-- the statement that writes joins with accounts instead. Tables of sums leave room in their
-- pages (fillfactor): no index holds what changes, so changes stay within a page.

-- The usage of accounts. Rows are never deleted: there is one a day for each key, and
-- one for the tokens and links of an app together, whose api_key_id is empty. What is counted
-- in none of the classes and has not failed was answered with 2xx.
CREATE TABLE usage_days (
  account_id text NOT NULL,
  day date NOT NULL,
  app_id text NOT NULL,
  api_key_id text NOT NULL,
  requests bigint NOT NULL,
  metered bigint NOT NULL,
  failed bigint NOT NULL,
  refused bigint NOT NULL DEFAULT 0,
  redirected bigint NOT NULL DEFAULT 0,
  server_failed bigint NOT NULL DEFAULT 0,
  PRIMARY KEY (account_id, day, app_id, api_key_id)
);

-- The sums of metered by account and day, which is how much an account has used of its
-- daily quota.
CREATE TABLE usage_account_days (
  account_id text NOT NULL,
  day date NOT NULL,
  metered bigint NOT NULL,
  PRIMARY KEY (account_id, day)
);

-- Batches that were applied. They stay for a day, so that a batch that is sent again
-- is recognised.
CREATE TABLE usage_batches (
  id text PRIMARY KEY,
  applied_at timestamptz NOT NULL
);
CREATE INDEX usage_batches_applied ON usage_batches (applied_at);

-- Usage by minute, for some hours (behaviour: usage#by-minute).
CREATE TABLE usage_minutes (
  account_id text NOT NULL,
  minute timestamptz NOT NULL,
  app_id text NOT NULL,
  api_key_id text NOT NULL,
  requests bigint NOT NULL,
  metered bigint NOT NULL,
  refused bigint NOT NULL,
  PRIMARY KEY (account_id, minute, app_id, api_key_id)
) WITH (fillfactor = 70);
CREATE INDEX usage_minutes_minute ON usage_minutes (minute);

-- How long the requests of a route took (behaviour: usage#routes). A bucket holds what
-- took from 2^(bucket/2) to 2^((bucket+1)/2) microseconds.
CREATE TABLE route_latencies (
  account_id text NOT NULL,
  day date NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  bucket smallint NOT NULL,
  requests bigint NOT NULL,
  failed bigint NOT NULL,
  server_failed bigint NOT NULL,
  PRIMARY KEY (account_id, day, method, route, bucket)
) WITH (fillfactor = 70);
CREATE INDEX route_latencies_day ON route_latencies (day);

-- How many requests limits have refused (behaviour: usage#refusals).
CREATE TABLE refusal_days (
  account_id text NOT NULL,
  day date NOT NULL,
  -- The limit, as in request_log.
  refused_by text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (account_id, day, refused_by)
) WITH (fillfactor = 70);
CREATE INDEX refusal_days_day ON refusal_days (day);

-- What apps have read of a person, by connection, UTC day and kind
-- (behaviour: usage#reads-of-a-person), counted in the transaction that logs the requests.
CREATE TABLE connection_reads (
  connection_id text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  reads bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, day, kind)
) WITH (fillfactor = 70);
CREATE INDEX connection_reads_day ON connection_reads (day);

-- From which countries apps have read of a person: of the reads that connection_reads counts,
-- those whose client has an address of a known country (behaviour: usage#countries-of-reads).
CREATE TABLE connection_read_countries (
  connection_id text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  -- ISO 3166-1 alpha-2.
  country text NOT NULL,
  reads bigint NOT NULL,
  PRIMARY KEY (connection_id, day, kind, country),
  FOREIGN KEY (connection_id, day, kind) REFERENCES connection_reads ON DELETE CASCADE
) WITH (fillfactor = 70);

-- How often applications were read in full, by application, app and UTC day
-- (behaviour: usage#reads-of-an-application), counted as connection_reads are.
CREATE TABLE application_reads (
  application_id text NOT NULL,
  app_id text NOT NULL,
  day date NOT NULL,
  reads bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, app_id, day)
) WITH (fillfactor = 70);
CREATE INDEX application_reads_day ON application_reads (day);

-- Requests of the last 30 days, with a partition for each UTC day. The service makes
-- partitions in advance and drops old ones (package usage).
CREATE TABLE request_log (
  at timestamptz NOT NULL,
  request_id text NOT NULL,
  account_id text NOT NULL,
  app_id text NOT NULL,
  api_key_id text NOT NULL,
  connection_id text NOT NULL,
  method text NOT NULL,
  route text NOT NULL,
  status integer NOT NULL,
  latency_us bigint NOT NULL,
  bytes bigint NOT NULL,
  metered boolean NOT NULL,
  -- The public code of the error; empty for an answer without one.
  error_code text NOT NULL DEFAULT '',
  -- The id in the path; empty if the route has none, or the path held no id of ours.
  resource_id text NOT NULL DEFAULT '',
  client_address text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT '',
  -- What was left of the account's budget after the request; null if that is not known.
  minute_left integer,
  day_left integer,
  -- The limit that refused; empty if none did.
  refused_by text NOT NULL DEFAULT '',
  -- Why a request was refused, in the words that the client received, and what else was wrong
  -- with it, a line each.
  error_message text NOT NULL DEFAULT '',
  other_faults text NOT NULL DEFAULT ''
) PARTITION BY RANGE (at);
CREATE INDEX request_log_account ON request_log (account_id, at, request_id);
-- The account has another collation in these, so that Postgres cannot use request_log_account
-- in their place and read every request of the account to find a few.
CREATE INDEX request_log_app ON request_log (account_id COLLATE "C", app_id, at);
CREATE INDEX request_log_key ON request_log (account_id COLLATE "C", api_key_id, at);
-- Most answers are 2xx. request_log_account finds them.
CREATE INDEX request_log_class ON request_log (account_id COLLATE "C", (status / 100), at) WHERE status >= 300;
CREATE INDEX request_log_code ON request_log (account_id COLLATE "C", error_code, at) WHERE error_code <> '';
CREATE INDEX request_log_resource ON request_log (account_id COLLATE "C", resource_id, at) WHERE resource_id <> '';

-- The partitions of the log are made and dropped by functions that run as the owner of the
-- log, since the service's role may be another.

-- Makes the partition of a day, if it is missing. It creates the partition as a table and
-- then attaches it, which does not block readers and writers (Postgres manual, 5.11.2.2).
-- +goose StatementBegin
CREATE FUNCTION make_request_log_partition(day date) RETURNS void
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' SET timezone = 'UTC'
AS $$
DECLARE
  name text := 'request_log_' || to_char(day, 'YYYYMMDD');
BEGIN
  PERFORM pg_advisory_xact_lock(130195296183553); -- "vitae", 1: replicas take turns
  IF to_regclass(format('public.%I', name)) IS NOT NULL THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.request_log INCLUDING ALL)', name);
  EXECUTE format('ALTER TABLE public.request_log ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    name, day::timestamp AT TIME ZONE 'UTC', (day + 1)::timestamp AT TIME ZONE 'UTC');
END
$$;
-- +goose StatementEnd

-- Drops the oldest partition, if it is of a day before the given one and all of its
-- requests are older than 30 days by this server's clock, and reports whether it did. The role
-- with which auth serves calls it, so the bound is here: no argument makes it drop a younger
-- one (behaviour: usage#retention).
-- +goose StatementBegin
CREATE FUNCTION drop_request_log_partition(before date) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' SET timezone = 'UTC'
AS $$
DECLARE
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(130195296183553); -- "vitae", 1: replicas take turns
  SELECT c.relname INTO name
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'public.request_log'::regclass AND c.relname ~ '^request_log_[0-9]{8}$'
    AND to_date(right(c.relname, 8), 'YYYYMMDD') < least(before, (now() - interval '30 days')::date)
  ORDER BY c.relname LIMIT 1;
  IF name IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION make_request_log_partition(date), drop_request_log_partition(date) FROM PUBLIC;

-- Deletion of people

-- Accounts whose people have asked for their deletion (behaviour: account-data#deleting-the-account).
-- There is no foreign key: the row outlives the person, until everything is gone everywhere.
CREATE TABLE person_deletions (
  person_id text PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  -- Until then the person can keep the account.
  due_at timestamptz NOT NULL,
  -- When a job continues with it. A replica that does moves it ahead, so that no other does
  -- the same at the same time.
  next_at timestamptz NOT NULL,
  -- When the deletion began; null while the account can be kept.
  begun_at timestamptz,
  -- What finds the rows of the person when that of people is gone: the address in lower case,
  -- and the ids of all connections.
  email_key text NOT NULL DEFAULT '',
  connection_ids text[] NOT NULL DEFAULT '{}',
  -- How often everything was deleted. The second time takes what was under way at the first.
  passes integer NOT NULL DEFAULT 0
);
CREATE INDEX person_deletions_next ON person_deletions (next_at);
CREATE INDEX person_deletions_begun ON person_deletions (next_at) WHERE begun_at IS NOT NULL;

-- Audit log

-- The audit log (behaviour: audit), with a partition for each week from Monday on, UTC.
-- It is only added to: the service's role may read and insert, where it is another than
-- the owner, and triggers refuse changes to everyone. Its partitions are made and dropped
-- by the functions below, which run as the owner. Indexes leave out rows with empty texts.
CREATE TABLE audit_events (
  id text NOT NULL,
  at timestamptz NOT NULL,
  action text NOT NULL,
  outcome text NOT NULL,
  error_code text NOT NULL,
  actor_kind text NOT NULL,
  actor_id text NOT NULL,
  caller text NOT NULL,
  account_id text NOT NULL,
  app_id text NOT NULL,
  person_id text NOT NULL,
  object_type text NOT NULL,
  object_id text NOT NULL,
  client_address text NOT NULL,
  request_id text NOT NULL,
  details jsonb NOT NULL,
  PRIMARY KEY (at, id)
) PARTITION BY RANGE (at);
CREATE INDEX audit_events_account ON audit_events (account_id, at, id) WHERE account_id <> '';
CREATE INDEX audit_events_app ON audit_events (app_id, at, id) WHERE app_id <> '';
CREATE INDEX audit_events_person ON audit_events (person_id, at, id) WHERE person_id <> '';
CREATE INDEX audit_events_action ON audit_events (action, at, id);

-- Refuses changes, with one exception: make_audit_events_nobodys may empty what names a
-- person. What happened, when, by which part, and in which account and app, stays.
-- +goose StatementBegin
CREATE FUNCTION refuse_audit_change() RETURNS trigger
LANGUAGE plpgsql SET search_path = pg_catalog, pg_temp
AS $$
BEGIN
  IF TG_LEVEL = 'ROW' AND TG_OP = 'UPDATE' AND current_setting('vitae.audit_events_are_made_nobodys', true) = 'yes' THEN
    IF (NEW.id, NEW.at, NEW.action, NEW.outcome, NEW.error_code, NEW.actor_kind, NEW.caller, NEW.account_id, NEW.app_id, NEW.object_type, NEW.request_id)
      IS NOT DISTINCT FROM
      (OLD.id, OLD.at, OLD.action, OLD.outcome, OLD.error_code, OLD.actor_kind, OLD.caller, OLD.account_id, OLD.app_id, OLD.object_type, OLD.request_id)
      AND NEW.actor_id IN (OLD.actor_id, '') AND NEW.person_id IN (OLD.person_id, '') AND NEW.object_id IN (OLD.object_id, '')
      AND NEW.client_address IN (OLD.client_address, '') AND NEW.details IN (OLD.details, '{}') THEN
      RETURN NEW;
    END IF;
  END IF;
  RAISE EXCEPTION 'the audit log is only added to' USING ERRCODE = 'insufficient_privilege';
END
$$;
-- +goose StatementEnd

-- Partitions get the trigger for rows from the table. That for TRUNCATE they get one by
-- one, when they are made.
CREATE TRIGGER audit_events_fixed BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_events_kept BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Removes a person whose deletion has begun from the events, and returns how many it changed.
-- It runs as the owner of the log, because the service's role may not change what the log
-- holds. The addresses of apps that acted for the person, and of others, are no addresses of
-- the person.
-- +goose StatementBegin
CREATE FUNCTION make_audit_events_nobodys(person text) RETURNS bigint
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp
AS $$
DECLARE
  email text;
  changed bigint;
BEGIN
  SELECT d.email_key INTO email FROM public.person_deletions d WHERE d.person_id = person AND d.begun_at IS NOT NULL;
  IF NOT FOUND OR person = '' THEN
    RETURN 0;
  END IF;
  PERFORM set_config('vitae.audit_events_are_made_nobodys', 'yes', true);
  UPDATE public.audit_events e SET
    person_id = CASE WHEN e.person_id = person THEN '' ELSE e.person_id END,
    actor_id = CASE WHEN e.actor_id = person THEN '' ELSE e.actor_id END,
    object_id = CASE WHEN e.object_id = person THEN '' ELSE e.object_id END,
    client_address = CASE WHEN person IN (e.person_id, e.actor_id) AND e.actor_kind NOT IN ('app', 'api_key') THEN '' ELSE e.client_address END,
    details = CASE WHEN EXISTS (SELECT FROM jsonb_each_text(e.details) d WHERE d.value = person OR email <> '' AND lower(d.value) = email)
      THEN '{}' ELSE e.details END
  WHERE e.person_id = person OR e.actor_id = person OR e.object_id = person
    OR EXISTS (SELECT FROM jsonb_each_text(e.details) d WHERE d.value = person OR email <> '' AND lower(d.value) = email);
  GET DIAGNOSTICS changed = ROW_COUNT;
  PERFORM set_config('vitae.audit_events_are_made_nobodys', '', true);
  RETURN changed;
END
$$;
-- +goose StatementEnd

-- Makes the partition of a time, if it is missing, for no time that the log does not hold, nor
-- for one that is more than five weeks ahead. It creates the partition as a table and then
-- attaches it, as that of the request log.
-- +goose StatementBegin
CREATE FUNCTION make_audit_partition(moment timestamptz) RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '2s' SET timezone = 'UTC'
AS $$
DECLARE
  first timestamptz := date_trunc('week', moment, 'UTC');
  name text := 'audit_events_' || to_char(first, 'YYYYMMDD');
BEGIN
  IF moment < now() - interval '400 days' OR moment > now() + interval '35 days' THEN
    RETURN false;
  END IF;
  PERFORM pg_advisory_xact_lock(130195296183555); -- "vitae", 3: replicas take turns
  IF to_regclass(format('public.%I', name)) IS NOT NULL THEN
    RETURN true;
  END IF;
  EXECUTE format('CREATE TABLE public.%I (LIKE public.audit_events INCLUDING DEFAULTS INCLUDING CONSTRAINTS)', name);
  EXECUTE format('CREATE TRIGGER audit_events_kept BEFORE TRUNCATE ON public.%I FOR EACH STATEMENT EXECUTE FUNCTION public.refuse_audit_change()', name);
  EXECUTE format('ALTER TABLE public.audit_events ATTACH PARTITION public.%I FOR VALUES FROM (%L) TO (%L)',
    name, first, first + interval '7 days');
  RETURN true;
END
$$;
-- +goose StatementEnd

-- Drops one partition, all of whose events are older than 400 days by this server's
-- clock, and reports whether it did. It waits little for its lock, since every insert waits
-- behind it; the next round tries again. No argument makes it drop a younger one.
-- +goose StatementBegin
CREATE FUNCTION drop_audit_partition() RETURNS boolean
LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp SET lock_timeout = '200ms' SET timezone = 'UTC'
AS $$
DECLARE
  name text;
BEGIN
  PERFORM pg_advisory_xact_lock(130195296183555);
  SELECT c.relname INTO name
  FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
  WHERE i.inhparent = 'public.audit_events'::regclass AND c.relname ~ '^audit_events_[0-9]{8}$'
    AND to_timestamp(right(c.relname, 8), 'YYYYMMDD') + interval '7 days' <= now() - interval '400 days'
  ORDER BY c.relname LIMIT 1;
  IF name IS NULL THEN
    RETURN false;
  END IF;
  EXECUTE format('DROP TABLE public.%I', name);
  RETURN true;
END
$$;
-- +goose StatementEnd

REVOKE ALL ON FUNCTION make_audit_partition(timestamptz), drop_audit_partition(), make_audit_events_nobodys(text) FROM PUBLIC;

-- The first start needs partitions at once; the service makes the later ones.
SELECT make_audit_partition(now() + week * interval '7 days') FROM generate_series(-1, 4) week;
