-- name: CountDeviceAttempt :execrows
-- Index: devices_pkey. Counts nothing for a browser that the account does not know, or
-- not any more.
UPDATE devices d SET failures = d.failures + 1
FROM people p
WHERE d.hash = @hash AND p.id = d.person_id AND p.email_key = @email_key
  AND d.expires_at > @at AND d.failures < @most::int AND d.signed_in_at >= p.password_set_at;

-- name: UncountDeviceAttempt :exec
-- Index: devices_pkey.
UPDATE devices d SET failures = d.failures - 1
FROM people p
WHERE d.hash = @hash AND p.id = d.person_id AND p.email_key = @email_key AND d.failures > 0;

-- name: RenewDevice :exec
-- Index: devices_pkey.
UPDATE devices SET signed_in_at = @at, expires_at = @expires_at, failures = 0 WHERE hash = @hash AND person_id = @person_id;

-- name: ForgetDevice :exec
-- Index: devices_pkey.
DELETE FROM devices WHERE hash = @hash AND person_id = @person_id;

-- name: MoveDevice :exec
-- Index: devices_pkey. The other people of a browser keep it under its new token.
UPDATE devices SET hash = @hash WHERE hash = @previous_hash;

-- name: AddDevice :exec
INSERT INTO devices (hash, person_id, signed_in_at, expires_at) VALUES (@hash, @person_id, @at, @expires_at);

-- name: ForgetOldestDevices :exec
-- Indexes: devices_person, devices_pkey. Keeps the given number of a person's browsers.
DELETE FROM devices o WHERE o.person_id = @person_id AND o.hash = ANY (ARRAY(
  SELECT d.hash FROM devices d WHERE d.person_id = @person_id ORDER BY d.signed_in_at DESC OFFSET @keep));
