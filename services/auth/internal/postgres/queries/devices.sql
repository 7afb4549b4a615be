-- name: CountDeviceAttempt :execrows
-- Index: devices_pkey. Counts nothing if the account does not know the browser, or no longer knows it.
UPDATE devices d SET failures = d.failures + 1
FROM people p
WHERE d.hash = @hash AND p.id = d.person_id AND p.email_key = @email_key
  AND d.expires_at > @at AND d.failures < @most::int AND d.signed_in_at >= p.password_set_at AND d.moved_from IS NULL;

-- name: KnowsDevice :one
-- Index: devices_pkey. Reports whether the account knows a browser, without counting an attempt.
SELECT EXISTS (
  SELECT FROM devices d JOIN people p ON p.id = d.person_id
  WHERE d.hash = @hash AND p.email_key = @email_key
    AND d.expires_at > @at AND d.failures < @most::int AND d.signed_in_at >= p.password_set_at AND d.moved_from IS NULL);

-- name: UncountDeviceAttempt :exec
-- Index: devices_pkey.
UPDATE devices d SET failures = d.failures - 1
FROM people p
WHERE d.hash = @hash AND p.id = d.person_id AND p.email_key = @email_key AND d.failures > 0;

-- name: RenewDevice :exec
-- Index: devices_pkey.
UPDATE devices SET signed_in_at = @at, expires_at = @expires_at, failures = 0 WHERE hash = @hash AND person_id = @person_id;

-- name: LockPeopleOfDevice :exec
-- Indexes: devices_pkey, people_pkey. Serializes changes to the same person's rows. The people are locked in the
-- order of their ids, so that concurrent transactions don't deadlock.
SELECT id FROM people WHERE id = @person_id OR id = ANY (ARRAY(SELECT d.person_id FROM devices d WHERE d.hash = @hash))
ORDER BY id FOR NO KEY UPDATE;

-- name: ForgetDevice :exec
-- Index: devices_person.
DELETE FROM devices WHERE person_id = @person_id AND @hash::bytea IN (hash, moved_from);

-- name: MoveDevice :exec
-- Index: devices_pkey. Offers the new token to the other people who use the browser. Their current token stays
-- valid, so someone who presents a stolen token cannot make their browsers unknown.
INSERT INTO devices (hash, person_id, signed_in_at, expires_at, failures, moved_from)
SELECT @hash, d.person_id, d.signed_in_at, d.expires_at, d.failures, coalesce(d.moved_from, d.hash)
FROM devices d WHERE d.hash = @previous_hash;

-- name: ForgetEarlierMoves :exec
-- Indexes: devices_pkey, devices_person. A token can be moved to only one other token, so moved tokens cannot
-- accumulate.
DELETE FROM devices d USING devices moved
WHERE moved.hash = @hash AND d.person_id = moved.person_id AND d.moved_from = moved.moved_from AND d.hash <> moved.hash;

-- name: ConfirmMovedDevice :execrows
-- Indexes: people_pkey, devices_pkey. The person has signed in with the new token of a known browser, so the new
-- token replaces the previous one. The person is locked before the rows, as in LockPeopleOfDevice.
WITH owner AS MATERIALIZED (
  SELECT id, password_set_at FROM people WHERE id = @person_id FOR NO KEY UPDATE
), confirmed AS (
  SELECT d.moved_from FROM owner p JOIN devices d ON d.person_id = p.id
  WHERE d.hash = @hash AND d.person_id = @person_id AND d.moved_from IS NOT NULL
    AND d.expires_at > @at AND d.signed_in_at >= p.password_set_at
  FOR UPDATE OF d
), replaced AS (
  DELETE FROM devices o USING confirmed c WHERE o.hash = c.moved_from AND o.person_id = @person_id
)
UPDATE devices d SET moved_from = NULL, signed_in_at = @at, expires_at = @expires_at, failures = 0
FROM confirmed c WHERE d.hash = @hash AND d.person_id = @person_id;

-- name: AddDevice :exec
INSERT INTO devices (hash, person_id, signed_in_at, expires_at) VALUES (@hash, @person_id, @at, @expires_at);

-- name: ForgetOldestDevices :exec
-- Index: devices_person. Deletes all of a person's browsers except the given number of most recent ones. Moved
-- tokens are not counted, and are deleted together with the browser to which they belong.
DELETE FROM devices o WHERE o.person_id = @person_id AND coalesce(o.moved_from, o.hash) = ANY (ARRAY(
  SELECT d.hash FROM devices d WHERE d.person_id = @person_id AND d.moved_from IS NULL ORDER BY d.signed_in_at DESC OFFSET @keep));
