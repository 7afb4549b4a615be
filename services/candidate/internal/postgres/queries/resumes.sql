-- name: AddResume :execrows
-- Inserts no row if the person has no profile. Index: profiles_pkey.
INSERT INTO resumes (id, person_id, filename, content_type, size, blob_key, ready, created_at)
SELECT @id, p.person_id, @filename, @content_type, @size, @blob_key, false, @created_at
FROM profiles p WHERE p.person_id = @person_id;

-- name: FinishResume :execrows
-- Updates no row if the resume is so old that the clean-up job may be removing it. Index:
-- resumes_pkey.
UPDATE resumes SET ready = true WHERE id = @id AND created_at > @created_after;

-- name: Resume :one
-- Index: resumes_pkey.
SELECT id, person_id, filename, content_type, size, blob_key, ready, application_id, created_at
FROM resumes WHERE id = @id;

-- name: GiveUpResumes :many
-- Marks old resumes without an application as not ready, so that no application can claim them. If
-- an application claims a resume concurrently, whichever comes second finds the row changed.
-- Replicas get different rows. Index: resumes_unclaimed, resumes_pkey.
WITH old AS (
    SELECT r.id FROM resumes r
    WHERE r.application_id IS NULL
      AND r.created_at < @unfinished_before
      AND (NOT r.ready OR r.created_at < @unclaimed_before)
    ORDER BY r.created_at
    LIMIT @at_most::integer
    FOR UPDATE SKIP LOCKED
)
UPDATE resumes SET ready = false FROM old WHERE resumes.id = old.id
RETURNING resumes.id, resumes.blob_key;

-- name: DeleteResume :exec
-- Index: resumes_pkey.
DELETE FROM resumes WHERE id = @id AND NOT ready AND application_id IS NULL;

-- name: ReadyResumes :many
-- Returns the complete resumes with ids after `after`, ordered by id. Index: resumes_pkey.
SELECT id, coalesce(application_id, '')::text AS application_id, blob_key, size
FROM resumes WHERE id > @after::text AND ready
ORDER BY id LIMIT @at_most::integer;

-- name: UnknownResumes :many
-- Returns the ids for which there is no row. Index: resumes_pkey.
SELECT i.id::text FROM unnest(@ids::text[]) AS i (id)
WHERE NOT EXISTS (SELECT FROM resumes r WHERE r.id = i.id);
