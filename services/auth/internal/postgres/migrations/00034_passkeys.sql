-- +goose Up

-- Passkeys of people (behaviour: accounts#passkeys): discoverable WebAuthn credentials. Who
-- has one may be without a password; password_hash of people is empty then, which no
-- password matches, in replicas of the release before too.
CREATE TABLE passkeys (
  id text PRIMARY KEY,
  person_id text NOT NULL REFERENCES people (id) ON DELETE CASCADE,
  -- The id that the authenticator has given it (WebAuthn §4, "Credential ID").
  credential_id bytea NOT NULL,
  -- The public key as COSE has it (RFC 9052).
  public_key bytea NOT NULL,
  -- The flags and the signature counter that the authenticator told last
  -- (WebAuthn §6.1, §6.1.1). Passkeys that are kept on several devices count nothing.
  flags smallint NOT NULL,
  sign_count bigint NOT NULL,
  -- The model of the authenticator, 16 bytes, all zero where it does not tell.
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

-- Ceremonies that were begun: a browser was given a challenge and has not answered yet. A row
-- goes with the first answer, right or wrong, and lives for minutes.
CREATE TABLE passkey_ceremonies (
  -- SHA-256 of the challenge.
  hash bytea PRIMARY KEY,
  -- What it is for, and the SHA-256 of that and of what it is bound to: a session, a browser
  -- without one, or the link of a mail.
  purpose text NOT NULL,
  binding bytea NOT NULL,
  -- What the library keeps between the two halves (webauthn.SessionData).
  state jsonb NOT NULL,
  expires_at timestamptz NOT NULL
);
CREATE INDEX passkey_ceremonies_expiry ON passkey_ceremonies (expires_at);

-- When the person of a session has last proven to be there, by a password or a passkey; null
-- for the sign-in itself. Replicas of the release before do not write it.
ALTER TABLE sessions ADD COLUMN proved_at timestamptz;

-- +goose Down
ALTER TABLE sessions DROP COLUMN proved_at;
DROP TABLE passkey_ceremonies, passkeys;
