-- name: Draft :one
-- Index: drafts_pkey.
SELECT person_id, document, form, version, revision, saved_at FROM drafts WHERE person_id = @person_id AND document = @document;

-- name: DraftsOf :many
-- Index: drafts_pkey.
SELECT person_id, document, form, version, revision, saved_at FROM drafts WHERE person_id = @person_id ORDER BY document;

-- name: SaveDraft :one
-- Stores no row if there is a draft with a different revision. Index: drafts_pkey.
INSERT INTO drafts AS d (person_id, document, form, version, revision, saved_at)
VALUES (@person_id, @document, @form, @version, nextval('draft_revisions'), @saved_at)
ON CONFLICT (person_id, document) DO UPDATE SET form = excluded.form, version = excluded.version, revision = excluded.revision, saved_at = excluded.saved_at
WHERE d.revision = @revision::bigint
RETURNING revision;

-- name: DropDraft :execrows
-- Index: drafts_pkey.
DELETE FROM drafts WHERE person_id = @person_id AND document = @document AND revision = @revision;

-- name: CarryDraft :exec
-- Moves a draft to a newer version that does not change any field of the form. Index: drafts_pkey.
UPDATE drafts SET version = @new_version WHERE person_id = @person_id AND document = @document AND version = @version;
