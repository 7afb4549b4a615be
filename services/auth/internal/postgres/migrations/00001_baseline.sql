-- +goose Up

-- This is the auth service's schema, by topic: people, developer accounts, connections, tokens, console, emails,
-- usage and request log, deletion of people, audit log.
--
-- Secrets are stored as SHA-256 hashes (bytea, 32 bytes), and passwords as argon2id hashes. Times come from the
-- service's clock, never from now(), so that all times come from the same clock. Unless noted otherwise, text
-- columns are empty rather than null if they have no value.

-- Returns true until the given time by this server's clock, and raises an error afterwards. If a statement calls
-- this function after the caller has given up, it therefore has no effect. The caller determines the time by this
-- server's clock (postgres.Deadline in pkg). The error code means that the server canceled the statement, which
-- callers report as an unavailable service.
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
  -- The email address in lower case, so that uniqueness doesn't depend on case.
  email_key text NOT NULL,
  email_verified boolean NOT NULL,
  -- Empty for people who sign in only with passkeys. No password matches an empty hash.
  password_hash text NOT NULL,
  created_at timestamptz NOT NULL,
  -- A browser is known only if someone has signed in with it since this time, so changing the password makes every
  -- browser unknown.
  password_set_at timestamptz NOT NULL DEFAULT 'epoch',
  -- The language for emails, as a BCP 47 tag, or null if unknown.
  locale text
);
CREATE UNIQUE INDEX people_email_key ON people (email_key);
-- Finds people by the beginning of their email address.
CREATE INDEX people_email_beginning ON people (email_key COLLATE "C");

CREATE TABLE sessions (
  hash bytea PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  id text NOT NULL DEFAULT gen_random_uuid()::text,
  -- The names of the browser and its operating system, as recognized by the gateway in the User-Agent header, or
  -- empty if unknown.
  browser text NOT NULL DEFAULT '',
  system text NOT NULL DEFAULT '',
  -- The time of the last use, updated at most once a minute, or null before the first use.
  used_at timestamptz,
  -- When the person last proved their identity after signing in, with a password or a passkey.
  proved_at timestamptz,
  -- The language of the sign-in page, as a BCP 47 tag. Notices are in this language unless the account has one.
  locale text NOT NULL DEFAULT '',
  -- The country in which the session was last used (ISO 3166-1 alpha-2). No IP address is stored.
  country text NOT NULL DEFAULT ''
);
CREATE UNIQUE INDEX sessions_id ON sessions (id);
CREATE INDEX sessions_person ON sessions (person_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);

-- Browsers with which people have signed in, identified by the hash of the token in their device cookie. A browser
-- used by several people has one token, and a row for each person.
CREATE TABLE devices (
  hash bytea NOT NULL,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  -- When the person last signed in with the right password.
  signed_in_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The number of wrong passwords since signed_in_at.
  failures integer NOT NULL DEFAULT 0,
  -- When a browser gets a new token, rows with that token are added for the other people who have signed in with the
  -- browser. Until such a person signs in with the new token, moved_from is the old token by which their account
  -- knows the browser, and the row has no effect.
  moved_from bytea,
  PRIMARY KEY (hash, person_id)
);
CREATE INDEX devices_person ON devices (person_id, signed_in_at);
CREATE INDEX devices_expiry ON devices (expires_at);

-- How much of the budgets for password attempts has been used, by the SHA-256 of the email address, whether or not
-- the address has an account. A row whose times have both passed is equivalent to no row.
CREATE TABLE sign_in_ceilings (
  account bytea PRIMARY KEY,
  open_until timestamptz NOT NULL,
  turns_until timestamptz NOT NULL
);
CREATE INDEX sign_in_ceilings_idle ON sign_in_ceilings (greatest(open_until, turns_until));

-- Reserved sign-in attempts ("turns"). A row contains when a browser that was asked to wait may make its next
-- attempt.
CREATE TABLE sign_in_turns (
  account bytea NOT NULL,
  device bytea NOT NULL,
  due_at timestamptz NOT NULL,
  booked boolean NOT NULL,
  failures integer NOT NULL,
  PRIMARY KEY (account, device)
);
CREATE INDEX sign_in_turns_due ON sign_in_turns (due_at);

-- Requested accounts whose email address has not been verified yet. Nobody can sign in to them, so they are not in
-- people.
CREATE TABLE sign_ups (
  -- The SHA-256 of the id of the link in the email.
  hash bytea PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  locale text NOT NULL,
  -- The page to which the browser is sent afterwards, or empty for the default page.
  return_path text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX sign_ups_email ON sign_ups (email_key);
CREATE INDEX sign_ups_expiry ON sign_ups (expires_at);

-- Links for replacing forgotten passwords. An address without an account gets a row too, so that a request takes
-- equally long for every address.
CREATE TABLE password_resets (
  hash bytea PRIMARY KEY,
  email_key text NOT NULL,
  return_path text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  -- The link's id, which allows a later request to send the same link again. The id is useless without the auth
  -- service's keys.
  link text NOT NULL DEFAULT ''
);
CREATE INDEX password_resets_email ON password_resets (email_key);
CREATE INDEX password_resets_expiry ON password_resets (expires_at);

-- Outbox of profiles that the candidate service must create for people who have signed up.
CREATE TABLE new_profiles (
  person_id text PRIMARY KEY REFERENCES people (id) ON DELETE CASCADE,
  name text NOT NULL,
  created_at timestamptz NOT NULL
);
CREATE INDEX new_profiles_created ON new_profiles (created_at);

-- People's passkeys (behaviour: accounts#passkeys), which are discoverable WebAuthn credentials.
CREATE TABLE passkeys (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  -- The id that the authenticator assigned to the passkey (WebAuthn §4, "Credential ID").
  credential_id bytea NOT NULL,
  -- The public key in COSE format (RFC 9052).
  public_key bytea NOT NULL,
  -- The authenticator's flags and signature counter after the last use (WebAuthn §6.1, §6.1.1). The counter remains
  -- zero for passkeys that are stored on several devices.
  flags smallint NOT NULL,
  sign_count bigint NOT NULL,
  -- The authenticator's model, 16 bytes, or all zeros if unknown.
  aaguid bytea NOT NULL,
  -- How the browser reached the authenticator (WebAuthn §5.8.4).
  transports text[] NOT NULL,
  -- The name that the person chose for the passkey.
  name text NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the passkey was last used for a sign-in or a proof of presence, or null if it hasn't been used.
  used_at timestamptz
);
CREATE UNIQUE INDEX passkeys_credential ON passkeys (credential_id);
CREATE INDEX passkeys_person ON passkeys (person_id, created_at);

-- Ceremonies in progress: a browser has received a challenge and has not responded yet. The first response, right or
-- wrong, deletes the row, which otherwise expires within minutes.
CREATE TABLE passkey_ceremonies (
  -- The SHA-256 of the challenge.
  hash bytea PRIMARY KEY,
  -- The purpose, and the SHA-256 of the purpose and of what the ceremony is bound to: a session, a browser without a
  -- session, or an emailed link.
  purpose text NOT NULL,
  binding bytea NOT NULL,
  -- The data that the WebAuthn library stores between the two steps (webauthn.SessionData).
  state jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_ceremonies_expiry ON passkey_ceremonies (expires_at);

-- Developer accounts, their teams, apps and credentials

-- An account's row also serves as the lock on its team: every transaction that changes members or invitations locks
-- it first.
CREATE TABLE accounts (
  id text PRIMARY KEY,
  name text NOT NULL,
  email text NOT NULL,
  plan text NOT NULL CHECK (plan IN ('standard', 'elevated', 'custom')),
  -- The budget agreed for a custom plan. The budgets of named plans are in the configuration.
  per_minute integer,
  per_day integer,
  suspended_at timestamptz,
  created_at timestamptz NOT NULL,
  verified_at timestamptz,
  -- A closed account is also suspended.
  closed_at timestamptz,
  -- The person who created the account, or empty if an operator did.
  created_by text NOT NULL DEFAULT '',
  -- The message that operators have written for the members of a suspended account.
  suspension_reason text NOT NULL DEFAULT '',
  CHECK ((plan = 'custom') = (per_minute IS NOT NULL AND per_day IS NOT NULL))
);
CREATE INDEX accounts_list ON accounts (lower(name) COLLATE "C", id) WHERE closed_at IS NULL;
-- Used to read the names that no other account or app may use.
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

-- Open invitations, and expired ones that have not been cleaned up yet. The row of an accepted, withdrawn or
-- replaced invitation is deleted.
CREATE TABLE invitations (
  id text PRIMARY KEY,
  account_id text NOT NULL REFERENCES accounts (id),
  email text NOT NULL,
  -- The email address in lower case, as in people.
  email_key text NOT NULL,
  role text NOT NULL CHECK (role IN ('viewer', 'developer', 'owner')),
  hash bytea NOT NULL,
  -- Who created the invitation: a person's id, or the name in a calling service's certificate.
  created_by text NOT NULL,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE UNIQUE INDEX invitations_hash ON invitations (hash);
CREATE UNIQUE INDEX invitations_account ON invitations (account_id, email_key);
CREATE INDEX invitations_email ON invitations (email_key);
CREATE INDEX invitations_maker ON invitations (created_by) WHERE created_by <> '';
CREATE INDEX invitations_expiry ON invitations (expires_at);

-- Accounts' requests for a different plan. An account can have at most one open request.
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

-- The row of a deleted app is retained, because the app's name is still shown. If an account is closed, its apps are
-- deleted too.
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
  -- True for the app with which people sign in to the console. There is at most one such app.
  is_console boolean NOT NULL DEFAULT false,
  description text NOT NULL DEFAULT '',
  homepage text NOT NULL DEFAULT '',
  privacy_policy text NOT NULL DEFAULT '',
  terms text NOT NULL DEFAULT '',
  support text NOT NULL DEFAULT '',
  created_by text NOT NULL DEFAULT '',
  -- Null until the app is changed for the first time.
  updated_at timestamptz,
  deleted_at timestamptz,
  -- The version of the logo in app_logos, or empty if the app has none there.
  logo_version text NOT NULL DEFAULT '',
  -- The number of changes to the app's scopes. For each scope in scopes, scopes_since contains the number of the
  -- change by which the app most recently gained that scope. Missing values count as 0.
  scopes_version integer NOT NULL DEFAULT 0,
  scopes_since integer[] NOT NULL DEFAULT '{}'
);
CREATE UNIQUE INDEX apps_client_id ON apps (client_id);
CREATE UNIQUE INDEX apps_console ON apps (is_console) WHERE is_console;
CREATE INDEX apps_account ON apps (account_id);
CREATE INDEX apps_deleted ON apps (deleted_at) WHERE deleted_at IS NOT NULL;
CREATE INDEX apps_maker ON apps (created_by) WHERE created_by <> '';

-- Logos as encoded by this service. The version is derived from the bytes.
CREATE TABLE app_logos (
  app_id text PRIMARY KEY REFERENCES apps (id) ON DELETE CASCADE,
  version text NOT NULL,
  jpeg bytea NOT NULL,
  created_at timestamptz NOT NULL
);

-- The secrets of confidential clients. An app has at most two rows: a rotation deletes all secrets except the new
-- one and the one that remains valid for some time.
CREATE TABLE client_secrets (
  id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps (id) ON DELETE CASCADE,
  hash bytea NOT NULL,
  created_at timestamptz NOT NULL,
  -- Who created the secret: a person's id, or the name in a calling service's certificate. Empty if unknown.
  created_by text NOT NULL,
  -- The time of the last use, updated at most once an hour.
  last_used_at timestamptz,
  -- When the secret expires, or null if it doesn't.
  expires_at timestamptz
);
CREATE UNIQUE INDEX client_secrets_hash ON client_secrets (hash);
CREATE INDEX client_secrets_app ON client_secrets (app_id);
CREATE INDEX client_secrets_maker ON client_secrets (created_by) WHERE created_by <> '';
-- Used to count the secrets that expire soon.
CREATE INDEX client_secrets_expiry ON client_secrets (expires_at) WHERE expires_at IS NOT NULL;

-- The rows of deleted keys are retained, because the keys' names are still shown.
CREATE TABLE api_keys (
  id text PRIMARY KEY,
  app_id text NOT NULL REFERENCES apps (id),
  name text NOT NULL,
  hash bytea NOT NULL,
  scopes text[] NOT NULL,
  expires_at timestamptz,
  created_at timestamptz NOT NULL,
  deleted_at timestamptz,
  -- The last four characters of the key, by which its owner recognizes it.
  hint text NOT NULL DEFAULT '',
  created_by text NOT NULL DEFAULT '',
  last_used_at timestamptz
);
CREATE UNIQUE INDEX api_keys_hash ON api_keys (hash);
CREATE INDEX api_keys_app ON api_keys (app_id, created_at DESC, id DESC);
CREATE INDEX api_keys_maker ON api_keys (created_by) WHERE created_by <> '';
-- Used to count the keys that expire soon.
CREATE INDEX api_keys_expiry ON api_keys (expires_at) WHERE expires_at IS NOT NULL AND deleted_at IS NULL;

-- Connections: what people share with apps

-- People's consents to share data with apps. A row also serves as the lock on everything below it: a transaction
-- that ends or narrows a consent locks it first.
CREATE TABLE connections (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  app_id text NOT NULL REFERENCES apps (id),
  granted_scopes text[] NOT NULL,
  cv_sharing boolean NOT NULL,
  -- The scopes in force, computed by the trigger connections_scopes.
  scopes text[] NOT NULL,
  cv_id text NOT NULL,
  share_photo boolean NOT NULL,
  created_at timestamptz NOT NULL,
  ended_at timestamptz,
  -- True for a consent in the legacy interface. It is separate from any connection that the person has with the same
  -- app through the current interface (behaviour: legacy#a-connection-of-its-own).
  legacy boolean NOT NULL DEFAULT false,
  -- The version of the photo URL (behaviour: photos#when-an-address-dies). The gateway signs it
  -- together with the connection's id, so a new version revokes the URL.
  photo_version integer NOT NULL DEFAULT 0,
  -- The value of the app's scopes_version at the most recent consent.
  scopes_version integer NOT NULL DEFAULT 0,
  -- Granted scopes that the person has withdrawn (behaviour: sign-in#withdrawing-a-permission). The
  -- CV scopes depend on cv_sharing instead.
  withheld text[] NOT NULL DEFAULT '{}',
  -- True if the photo was granted and later withdrawn. In this case, share_photo is false.
  photo_withheld boolean NOT NULL DEFAULT false,
  paused_at timestamptz,
  -- When access ends automatically (behaviour: sign-in#access-that-ends-by-itself).
  ends_at timestamptz,
  -- Scopes that the person was offered at the most recent consent but didn't grant. If they are requested again,
  -- they are not new, so they don't lead to the full consent page (behaviour: sign-in#coming-back).
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

-- A new consent restores what the person had withdrawn, and ends a pause. Triggers run in the order of their names,
-- so this one runs before connections_scopes.
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

-- The following functions are written in PL/pgSQL, which caches a plan per database connection. Postgres plans an
-- SQL function again for every statement that calls it, unless it can inline the function, which it cannot if the
-- function contains a subquery. A consent nearly always retains all its scopes. In that case, the functions return
-- early, because comparing the scopes costs only a hundredth as much as the query.

-- Returns the scopes that are in both a and b, in the order of a.
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

-- Returns the scopes of a consent that the app has had continuously since that consent, in their original order
-- (behaviour: apps#a-scope-that-an-app-loses). The legacy interface's scope is not one of the app's scopes; the
-- column legacy grants it.
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

-- Durable CV links. The gateway signs a link's id, and the auth service looks up the link by the hash of the id.
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

-- Refresh token families. A row contains the family's only live refresh token, so every rotation, reuse and
-- revocation locks it. There is no foreign key to the connection, because a live token may outlast its connection's
-- row (CONNECTION_NOT_FOUND).
CREATE TABLE token_families (
  id text PRIMARY KEY,
  app_id text NOT NULL,
  connection_id text NOT NULL,
  scopes text[] NOT NULL,
  -- Null for a legacy grant, which has no refresh token. If its code is replayed, the family is revoked. The family
  -- expires at least a month after its access token.
  refresh_hash bytea,
  created_at timestamptz NOT NULL,
  expires_at timestamptz NOT NULL,
  revoked_at timestamptz
);
CREATE UNIQUE INDEX token_families_refresh_hash ON token_families (refresh_hash);
CREATE INDEX token_families_connection ON token_families (connection_id);
CREATE INDEX token_families_expiry ON token_families (expires_at);
CREATE INDEX token_families_revoked ON token_families (revoked_at) WHERE revoked_at IS NOT NULL;

-- Refresh tokens that have been rotated. They are retained as long as their family, so that their reuse is detected.
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
  -- The family issued for the code. The code is retained as long as the family, so that a replay is detected.
  family_id text REFERENCES token_families (id) ON DELETE CASCADE,
  -- The browser session in which the code was issued.
  session_id text NOT NULL DEFAULT ''
);
CREATE INDEX authorization_codes_unused ON authorization_codes (connection_id) WHERE used_at IS NULL;
CREATE INDEX authorization_codes_expiry ON authorization_codes (expires_at) WHERE used_at IS NULL;
CREATE INDEX authorization_codes_family ON authorization_codes (family_id) WHERE family_id IS NOT NULL;

-- Reports whether a code's redirect URI is still registered. The URI was fully checked when the code was issued. A
-- loopback URI that is registered without a port matches any port (RFC 8252 §7.3).
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
  -- True for a legacy token. Such a token is retained as long as its family, so that the service can report that it
  -- has expired. Other tokens are deleted soon after they expire.
  legacy boolean NOT NULL DEFAULT false
);
CREATE INDEX access_tokens_family ON access_tokens (family_id, expires_at);
CREATE INDEX access_tokens_connection ON access_tokens (connection_id, expires_at);
CREATE INDEX access_tokens_expiry ON access_tokens (expires_at) WHERE NOT legacy;

-- A change that ends a durable link or a token family, or withdraws the photo, also revokes the photo URL in the
-- same transaction. Such a transaction already holds the lock on the connection's row. If the photo is shared again,
-- it gets a new URL.
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

-- Outbox of session records that must be deleted from Redis (package revocation). The transaction that makes the
-- records stale writes the row, which is deleted after the records.
CREATE TABLE forget_outbox (
  id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  account_id text NOT NULL,
  -- True if the row covers all of the account's records. In this case, hashes is empty.
  whole_account boolean NOT NULL,
  hashes bytea[] NOT NULL,
  created_at timestamptz NOT NULL,
  -- The connection whose records are stale. In this case, hashes is empty, because a list made inside the
  -- transaction would miss tokens that other transactions commit before this one. It is empty in rows that contain
  -- hashes or cover the whole account.
  connection_id text NOT NULL DEFAULT '',
  -- The connection with the same app through the other interface, if there is one. A transaction that ends or
  -- changes both connections writes one row for both.
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
  -- The time of the last use, updated at most once a minute.
  used_at timestamptz NOT NULL,
  -- When the session expires even if it is in use.
  expires_at timestamptz NOT NULL,
  -- The browser session from which the console session was opened. Both sessions end together.
  browser_session text NOT NULL REFERENCES sessions (id) ON DELETE CASCADE
);
CREATE INDEX console_sessions_connection ON console_sessions (connection_id);
CREATE INDEX console_sessions_person ON console_sessions (person_id);
CREATE INDEX console_sessions_browser ON console_sessions (browser_session);
CREATE INDEX console_sessions_expiry ON console_sessions (expires_at);

-- Submitted console forms that create something, so that submitting the same form twice doesn't create it twice
-- (behaviour: console#a-form-that-is-sent-again). A form is valid only in the session in which it was displayed.
CREATE TABLE console_forms (
  session bytea NOT NULL REFERENCES console_sessions (hash) ON DELETE CASCADE,
  form text NOT NULL,
  PRIMARY KEY (session, form)
);

-- The profile names of people who have connected the console. A name is stored only as long as the console is
-- permitted to read it.
CREATE TABLE console_names (
  connection_id text PRIMARY KEY REFERENCES connections (id) ON DELETE CASCADE,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  name text NOT NULL
);
CREATE INDEX console_names_person ON console_names (person_id);

-- If a connection with the console's app ends or is paused, the person's console sessions and name are deleted too.
-- Reads also check the connection, because a session may be opened concurrently.
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

-- Outbox of emails (package mail). A row is written in the transaction of the event that the email
-- reports, and is deleted when a server has accepted the email. The body is written when the email
-- is sent, so no row contains body text or a working link.
CREATE TABLE mail_outbox (
  -- The Message-ID is derived from the id, so an email that is sent twice counts as one email.
  id text PRIMARY KEY,
  kind text NOT NULL,
  -- The email address as given, and in lower case as in people. Whether it belongs to an account is checked only
  -- when the email is sent.
  email text NOT NULL,
  email_key text NOT NULL,
  -- The id of the link in the email, or empty if there is none. The id is useless without a signature.
  link text NOT NULL,
  locale text NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the next attempt is due. A replica that is sending the email postpones this time, so that no other replica
  -- sends the email concurrently.
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- When the email stops being useful.
  expires_at timestamptz NOT NULL,
  -- The facts in a notice: the names of the session's browser and operating system, the app that the notice
  -- concerns, and the country of the session. All are empty for other emails.
  browser text NOT NULL DEFAULT '',
  system text NOT NULL DEFAULT '',
  app_id text NOT NULL DEFAULT '',
  country text NOT NULL DEFAULT '',
  -- The account that the email concerns, and the person who created a credential or joined. Both are empty for other
  -- emails.
  account_id text NOT NULL DEFAULT '',
  subject_id text NOT NULL DEFAULT ''
);
CREATE INDEX mail_outbox_due ON mail_outbox (due_at);
CREATE INDEX mail_outbox_created ON mail_outbox (created_at);
CREATE INDEX mail_outbox_email ON mail_outbox (email_key);

-- How much has been used of the budgets for emails that anyone can request for an address, by the SHA-256 of the
-- budget and the address in lower case. A row whose time has passed is equivalent to no row.
CREATE TABLE mail_budgets (
  address bytea PRIMARY KEY,
  full_at timestamptz NOT NULL
);
CREATE INDEX mail_budgets_full ON mail_budgets (full_at);

-- Usage and request log
--
-- There is no foreign key to accounts, because it would make every batch lock the accounts' rows. Instead, the
-- statement that writes a batch joins accounts. Tables of totals leave free space in their pages (fillfactor). No
-- index contains the columns that change, so an update stays within a page.

-- The usage of accounts. Rows are never deleted. Each day has one row per API key, and one row with an empty
-- api_key_id for all of an app's tokens and links. Requests that have not failed and belong to none of the classes
-- received a 2xx response.
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

-- The sum of metered per account and day, which is how much of the daily quota the account has used.
CREATE TABLE usage_account_days (
  account_id text NOT NULL,
  day date NOT NULL,
  metered bigint NOT NULL,
  PRIMARY KEY (account_id, day)
);

-- Batches that have been applied. They are retained for a day, so that a batch that is sent again is recognized.
CREATE TABLE usage_batches (
  id text PRIMARY KEY,
  applied_at timestamptz NOT NULL
);
CREATE INDEX usage_batches_applied ON usage_batches (applied_at);

-- Usage by minute, retained for a few hours (behaviour: usage#by-minute).
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

-- The latency of requests by route (behaviour: usage#routes). Each bucket counts the requests that took from
-- 2^(bucket/2) to 2^((bucket+1)/2) microseconds.
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

-- The number of requests that limits rejected (behaviour: usage#refusals).
CREATE TABLE refusal_days (
  account_id text NOT NULL,
  day date NOT NULL,
  -- The limit, as in request_log.
  refused_by text NOT NULL,
  requests bigint NOT NULL,
  PRIMARY KEY (account_id, day, refused_by)
) WITH (fillfactor = 70);
CREATE INDEX refusal_days_day ON refusal_days (day);

-- What apps have read of people's data, by connection, UTC day and kind (behaviour: usage#reads-of-a-person). The
-- transaction that logs the requests also updates these counts.
CREATE TABLE connection_reads (
  connection_id text NOT NULL,
  day date NOT NULL,
  kind text NOT NULL,
  reads bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (connection_id, day, kind)
) WITH (fillfactor = 70);
CREATE INDEX connection_reads_day ON connection_reads (day);

-- The countries from which apps have read people's data. The table breaks down those reads in connection_reads whose
-- client has an IP address in a known country (behaviour: usage#countries-of-reads).
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
-- (behaviour: usage#reads-of-an-application). The counts are updated in the same way as connection_reads.
CREATE TABLE application_reads (
  application_id text NOT NULL,
  app_id text NOT NULL,
  day date NOT NULL,
  reads bigint NOT NULL,
  last_at timestamptz NOT NULL,
  PRIMARY KEY (application_id, app_id, day)
) WITH (fillfactor = 70);
CREATE INDEX application_reads_day ON application_reads (day);

-- The requests of the last 30 days, with a partition for each UTC day. The service creates partitions in advance and
-- drops old ones (package usage).
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
  -- The public error code, or empty if there was no error.
  error_code text NOT NULL DEFAULT '',
  -- The id in the request path, or empty if the route has none or the path contained no valid id.
  resource_id text NOT NULL DEFAULT '',
  client_address text NOT NULL DEFAULT '',
  user_agent text NOT NULL DEFAULT '',
  -- The account's budgets that remained after the request, or null if unknown.
  minute_left integer,
  day_left integer,
  -- The limit that rejected the request, or empty if it was not rejected.
  refused_by text NOT NULL DEFAULT '',
  -- The error message that the client received, and the other validation errors, one per line.
  error_message text NOT NULL DEFAULT '',
  other_faults text NOT NULL DEFAULT ''
) PARTITION BY RANGE (at);
CREATE INDEX request_log_account ON request_log (account_id, at, request_id);
-- In these indexes, the account has a different collation. Otherwise, Postgres might choose request_log_account and
-- read all of the account's requests to find a few.
CREATE INDEX request_log_app ON request_log (account_id COLLATE "C", app_id, at);
CREATE INDEX request_log_key ON request_log (account_id COLLATE "C", api_key_id, at);
-- Most responses are 2xx, for which request_log_account is sufficient.
CREATE INDEX request_log_class ON request_log (account_id COLLATE "C", (status / 100), at) WHERE status >= 300;
CREATE INDEX request_log_code ON request_log (account_id COLLATE "C", error_code, at) WHERE error_code <> '';
CREATE INDEX request_log_resource ON request_log (account_id COLLATE "C", resource_id, at) WHERE resource_id <> '';

-- The log's partitions are created and dropped by functions that run as the log's owner, because the service may use
-- a different role.

-- Creates the partition for a day if it is missing. The partition is first created as a table and then attached,
-- which does not block readers and writers (Postgres manual, 5.11.2.2).
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

-- Drops the oldest partition if it is for a day before the given one and all its requests are older than 30 days by
-- this server's clock. It returns true if it has dropped a partition. The function is called by the service's role,
-- so it enforces the limit of 30 days itself: no argument makes it drop a younger partition
-- (behaviour: usage#retention).
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

-- Accounts whose deletion was requested (behaviour: account-data#deleting-the-account). There is no foreign key,
-- because the row is needed until all services have deleted all of the person's data.
CREATE TABLE person_deletions (
  person_id text PRIMARY KEY,
  requested_at timestamptz NOT NULL,
  -- Until when the person can keep the account.
  due_at timestamptz NOT NULL,
  -- When the next step is due. A replica that is performing the step postpones this time, so that no other replica
  -- performs the step concurrently.
  next_at timestamptz NOT NULL,
  -- When the deletion began, or null as long as the person can keep the account.
  begun_at timestamptz,
  -- The keys that find the person's rows after the row in people has been deleted: the email address in lower case,
  -- and the ids of all connections.
  email_key text NOT NULL DEFAULT '',
  connection_ids text[] NOT NULL DEFAULT '{}',
  -- The number of steps completed. The later steps delete everything again, including data that was in transit
  -- during the first steps.
  passes integer NOT NULL DEFAULT 0
);
CREATE INDEX person_deletions_next ON person_deletions (next_at);
CREATE INDEX person_deletions_begun ON person_deletions (next_at) WHERE begun_at IS NOT NULL;

-- Audit log

-- The audit log (behaviour: audit), with a partition for each UTC week, starting on Monday. Rows can only be added
-- to it: unless the service's role is the owner, it may only read and insert, and triggers reject changes by any
-- role. The functions below, which run as the owner, create and drop the partitions. Indexes omit rows with empty
-- values.
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

-- Rejects changes, with one exception: make_audit_events_nobodys may clear the fields that identify a person. What
-- happened, when, through which service, and in which account and app, remains.
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

-- Partitions inherit the row trigger from the table, but not the trigger for TRUNCATE, which is added to each
-- partition when it is created.
CREATE TRIGGER audit_events_fixed BEFORE UPDATE OR DELETE ON audit_events
  FOR EACH ROW EXECUTE FUNCTION refuse_audit_change();
CREATE TRIGGER audit_events_kept BEFORE TRUNCATE ON audit_events
  FOR EACH STATEMENT EXECUTE FUNCTION refuse_audit_change();

-- Removes a person whose deletion has begun from the events, and returns the number of changed events. The function
-- runs as the log's owner, because the service's role may not change rows. It keeps an IP address if an app acted
-- for the person, or if the event names the person only in other fields: such an address is not the person's.
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

-- Creates the partition for a time if it is missing. It returns false for a time that is older than the log or more
-- than five weeks ahead. Like make_request_log_partition, it creates the partition as a table and then attaches it.
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

-- Drops one partition if all its events are older than 400 days by this server's clock, and reports whether it did.
-- It waits for its lock only briefly, because every insert queues behind it; the next run of the job tries again.
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

-- The service needs these partitions when it first starts. It creates all later ones.
SELECT make_audit_partition(now() + week * interval '7 days') FROM generate_series(-1, 4) week;
