-- name: ApplicationDetail :one
-- Returns an application as employers see it, without the person's other CVs. It returns no row to
-- an app that does not manage the company. Index: applications_pkey, submissions_pkey,
-- profiles_pkey, resumes_application_id_key.
SELECT
    sqlc.embed(a),
    s.cover_letter, s.cv_created_at, s.cv_content,
    p.name, p.username, p.email, p.headline, (p.avatar_url <> '')::boolean AS has_photo, p.has_main_cv,
    p.content, p.created_at AS profile_created_at, p.updated_at AS profile_updated_at,
    r.blob_key, r.filename
FROM applications a
JOIN submissions s ON s.application_id = a.id
JOIN profiles p ON p.person_id = a.person_id
LEFT JOIN resumes r ON r.application_id = a.id
WHERE a.id = @id AND a.app_id = @app_id;

-- name: ApplicationExists :one
-- Index: applications_pkey.
SELECT EXISTS (SELECT FROM applications WHERE id = @id);

-- name: OtherCvs :many
-- Returns a person's CVs except one, newest first, until their total size would exceed max_bytes.
-- Index: cvs_by_person.
SELECT id, person_id, title, content, created_at, updated_at, version, template FROM (
    SELECT
        c.id, c.person_id, c.title, c.content, c.created_at, c.updated_at, c.version, c.template,
        sum(octet_length(c.content::text)) OVER (ORDER BY c.created_at DESC, c.id DESC) AS bytes
    FROM cvs c
    WHERE c.person_id = @person_id AND c.id <> @except_id
) listed
WHERE bytes <= @max_bytes::bigint
ORDER BY created_at DESC, id DESC;
