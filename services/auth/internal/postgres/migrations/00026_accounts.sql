-- +goose Up

-- The language in which a person is written to, a BCP 47 tag; null when nothing is known.
-- Replicas of the release before neither read nor write it.
ALTER TABLE people ADD COLUMN locale text;

-- Outbox of mail (package mail). A row is written in the transaction of what the mail tells
-- of, and is deleted when a server has taken the mail. What stands in the mail is made when
-- it is sent, so no row holds a text or a link that works.
CREATE TABLE mail_outbox (
  -- The Message-ID is made of it, so that a mail which is sent twice is one mail.
  id text PRIMARY KEY,
  kind text NOT NULL,
  -- The address as it was given, and in lower case, as in people. Whether it has an account
  -- is looked up when the mail is sent.
  email text NOT NULL,
  email_key text NOT NULL,
  -- The id of the link in the mail, which only a signature makes a link; empty for none.
  link text NOT NULL,
  locale text NOT NULL,
  created_at timestamptz NOT NULL,
  -- When the next attempt is due. A replica that sends the mail moves it ahead, so that no
  -- other sends it meanwhile.
  due_at timestamptz NOT NULL,
  attempts integer NOT NULL DEFAULT 0,
  -- When the mail is worth nothing any more.
  expires_at timestamptz NOT NULL
);
CREATE INDEX mail_outbox_due ON mail_outbox (due_at);
CREATE INDEX mail_outbox_created ON mail_outbox (created_at);

-- What is spent of the mail that anybody may have sent to an address, by the SHA-256 of the
-- address in lower case. A row whose time has passed means the same as none.
CREATE TABLE mail_budgets (
  address bytea PRIMARY KEY,
  full_at timestamptz NOT NULL
);
CREATE INDEX mail_budgets_full ON mail_budgets (full_at);

-- Accounts that somebody wants and whose e-mail address is not verified yet. They are no
-- people: nobody signs in to them.
CREATE TABLE sign_ups (
  -- SHA-256 of the id of the link in the mail.
  hash bytea PRIMARY KEY,
  email text NOT NULL,
  email_key text NOT NULL,
  name text NOT NULL,
  password_hash text NOT NULL,
  locale text NOT NULL,
  -- Where the browser goes afterwards; empty for nowhere in particular.
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
  expires_at timestamptz NOT NULL
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

-- +goose Down
DROP TABLE new_profiles, password_resets, sign_ups, mail_budgets, mail_outbox;
ALTER TABLE people DROP COLUMN locale;
