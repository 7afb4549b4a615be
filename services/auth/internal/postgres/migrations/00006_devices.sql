-- +goose Up

-- When the password was set. A browser is known only if somebody has signed in there
-- since, so changing a password takes the privilege from every browser. Replicas that
-- run the code from before this migration create people without it.
ALTER TABLE people ADD COLUMN password_set_at timestamptz NOT NULL DEFAULT 'epoch';

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
  PRIMARY KEY (hash, person_id)
);
CREATE INDEX devices_person ON devices (person_id, signed_in_at);
CREATE INDEX devices_expiry ON devices (expires_at);

-- What is spent of the budgets of guesses, by the SHA-256 of the e-mail address, whether
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

-- +goose Down
DROP TABLE sign_in_turns, sign_in_ceilings, devices;
ALTER TABLE people DROP COLUMN password_set_at;
