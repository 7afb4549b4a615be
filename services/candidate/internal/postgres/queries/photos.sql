-- name: Photo :one
-- Returns the URL of a person's photo, and its bytes if they are stored here. Index: profiles_pkey,
-- photos_pkey.
SELECT p.avatar_url, ph.jpeg
FROM profiles p
LEFT JOIN photos ph ON ph.person_id = p.person_id
WHERE p.person_id = @person_id;

-- name: KeepPhoto :exec
-- Index: photos_pkey.
INSERT INTO photos (person_id, jpeg) VALUES (@person_id, @jpeg)
ON CONFLICT (person_id) DO UPDATE SET jpeg = excluded.jpeg;

-- name: DropPhoto :exec
-- Index: photos_pkey.
DELETE FROM photos WHERE person_id = @person_id;
