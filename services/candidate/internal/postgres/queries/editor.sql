-- name: ProfileVersion :one
-- Index: profiles_pkey.
SELECT version FROM profiles WHERE person_id = @person_id;

-- name: LockProfile :one
-- Locks a profile, and thereby its version, until the transaction ends. Index: profiles_pkey.
SELECT version, has_main_cv, content, cv_template FROM profiles WHERE person_id = @person_id FOR UPDATE;

-- name: LockCv :one
-- Locks a CV until the transaction ends. It returns no row if the CV belongs to a different person.
-- Index: cvs_pkey.
SELECT id, person_id, title, content, created_at, updated_at, version, template FROM cvs
WHERE id = @id AND person_id = @person_id FOR UPDATE;
