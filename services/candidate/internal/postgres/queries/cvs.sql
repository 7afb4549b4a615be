-- name: CreateCv :execrows
-- Inserts no row if the person has no profile or already has max_cvs CVs. The lock on the counter's
-- row makes the limit exact. Index: profiles_pkey.
WITH owner AS (
    UPDATE profiles SET cv_count = cv_count + 1
    WHERE profiles.person_id = @person_id AND cv_count < @max_cvs::integer
    RETURNING profiles.person_id
)
INSERT INTO cvs (id, person_id, title, content, created_at, updated_at)
SELECT @id, owner.person_id, @title, @content, @created_at, @updated_at FROM owner;

-- name: ProfileExists :one
-- Index: profiles_pkey.
SELECT EXISTS (SELECT FROM profiles WHERE person_id = @person_id);

-- name: Cv :one
-- Index: cvs_pkey.
SELECT id, person_id, title, content, created_at, updated_at, version, template FROM cvs WHERE id = @id;

-- name: UpdateCv :one
-- Replaces the columns whose parameters are not null. Index: cvs_pkey.
UPDATE cvs SET
    title      = coalesce(sqlc.narg('title'), title),
    content    = coalesce(sqlc.narg('content'), content),
    updated_at = greatest(@updated_at, updated_at)
WHERE id = @id
RETURNING id, person_id, title, content, created_at, updated_at, version, template;

-- name: DeleteCv :one
-- Index: cvs_pkey, drafts_pkey, profiles_pkey.
WITH gone AS (DELETE FROM cvs WHERE id = @id RETURNING cvs.person_id),
    draft AS (DELETE FROM drafts d USING gone WHERE d.person_id = gone.person_id AND d.document = @id)
UPDATE profiles SET cv_count = cv_count - 1 FROM gone WHERE profiles.person_id = gone.person_id
RETURNING profiles.person_id;

-- name: Choice :many
-- Returns one row per CV of a person, or one row without a CV. It returns no row if the person has
-- no profile. Index: profiles_pkey, cvs_by_person, drafts_pkey.
SELECT
    p.name, p.avatar_url <> '' AS has_photo, p.has_main_cv, p.updated_at AS profile_updated_at,
    c.id, c.title, c.updated_at,
    ARRAY(SELECT d.document FROM drafts d WHERE d.person_id = p.person_id)::text[] AS drafts
FROM profiles p
LEFT JOIN cvs c ON c.person_id = p.person_id
WHERE p.person_id = @person_id
ORDER BY c.created_at DESC, c.id DESC;
