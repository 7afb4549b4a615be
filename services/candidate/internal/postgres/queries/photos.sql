-- name: Photo :one
-- Where the photo of a person is, and its bytes if it is kept here. Index: profiles_pkey,
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

-- name: InlinePhotos :many
-- Photos that are still in profiles, in the order of their persons. The condition is that
-- of the index. Index: profiles_inline_photo.
SELECT person_id, avatar_url FROM profiles
WHERE left(avatar_url, 5) = 'data:' AND avatar_url <> 'data:image/jpeg;base64,' AND person_id > @after_id
ORDER BY person_id
LIMIT @at_most::integer;

-- name: ReplacePhoto :execrows
-- No row if somebody has written another photo meanwhile. updated_at stays: what the
-- person wrote has not changed. Index: profiles_pkey.
UPDATE profiles SET avatar_url = @becomes WHERE person_id = @person_id AND avatar_url = @was;
