-- name: CountDeviceAttempt :execrows
-- Index: devices_pkey. Counts nothing for a browser that the account does not know, or
-- not any more.
UPDATE devices d SET failures = d.failures + 1
FROM people p
WHERE d.hash = @hash AND p.id = d.person_id AND p.email_key = @email_key
  AND d.expires_at > @at AND d.failures < @most::int AND d.signed_in_at >= p.password_set_at AND d.moved_from IS NULL;

-- name: KnowsDevice :one
-- Index: devices_pkey. Whether the account knows a browser, without counting an attempt.
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
-- Indexes: devices_pkey, people_pkey. Two changes to the rows of one person wait for each other,
-- in the order of ids, so that none waits for one that waits for it.
SELECT id FROM people WHERE id = @person_id OR id = ANY (ARRAY(SELECT d.person_id FROM devices d WHERE d.hash = @hash))
ORDER BY id FOR NO KEY UPDATE;

-- name: ForgetDevice :exec
-- Index: devices_person.
DELETE FROM devices WHERE person_id = @person_id AND @hash::bytea IN (hash, moved_from);

-- name: MoveDevice :exec
-- Index: devices_pkey. The other people of a browser may get to know it by its new token. What
-- they know it by now stays theirs: whoever presents a stolen token takes nothing away.
INSERT INTO devices (hash, person_id, signed_in_at, expires_at, failures, moved_from)
SELECT @hash, d.person_id, d.signed_in_at, d.expires_at, d.failures, coalesce(d.moved_from, d.hash)
FROM devices d WHERE d.hash = @previous_hash;

-- name: ForgetEarlierMoves :exec
-- Indexes: devices_pkey, devices_person. A token moves to one other at most, so that moves
-- do not pile up.
DELETE FROM devices d USING devices moved
WHERE moved.hash = @hash AND d.person_id = moved.person_id AND d.moved_from = moved.moved_from AND d.hash <> moved.hash;

-- name: ConfirmMovedDevice :execrows
-- Indexes: people_pkey, devices_pkey. The person has signed in with the new token of a browser that was
-- known, so it takes the place of the token from before. The person is locked before the
-- rows, as LockPeopleOfDevice does.
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
-- Index: devices_person. Keeps the given number of a person's browsers. Moved
-- tokens do not count, and go with the browser that they are of.
DELETE FROM devices o WHERE o.person_id = @person_id AND coalesce(o.moved_from, o.hash) = ANY (ARRAY(
  SELECT d.hash FROM devices d WHERE d.person_id = @person_id AND d.moved_from IS NULL ORDER BY d.signed_in_at DESC OFFSET @keep));
