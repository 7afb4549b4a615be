-- name: Applicant :one
-- Returns the applicant and the submitted CV. It locks the profile until the application is stored,
-- so that the search text cannot miss a change. It reads the content of the main CV only if that CV
-- is submitted. The job's number is null before the job's first application. Index: profiles_pkey,
-- cvs_pkey, job_numbers_pkey.
SELECT
    p.person_id, p.name, p.username, p.email, p.headline, p.has_main_cv,
    (p.avatar_url <> '')::boolean AS has_photo,
    p.created_at, p.updated_at,
    c.id AS cv_id, c.title AS cv_title, c.created_at AS cv_created_at, c.updated_at AS cv_updated_at,
    (CASE WHEN @cv_id::text = @main_cv_id::text THEN p.content ELSE c.content END)::jsonb AS content,
    j.number AS job
FROM profiles p
LEFT JOIN cvs c ON c.id = @cv_id AND c.person_id = p.person_id
LEFT JOIN job_numbers j ON j.job_id = @job_id
WHERE p.person_id = @person_id
FOR SHARE OF p;

-- name: NumberJob :one
-- Assigns a number to a job. If two transactions do this concurrently, the second waits and gets
-- the same number. Index: job_numbers_pkey.
INSERT INTO job_numbers (job_id) VALUES (@job_id)
ON CONFLICT (job_id) DO UPDATE SET job_id = EXCLUDED.job_id
RETURNING number;

-- name: CreateApplication :exec
-- Fails on the unique index applications_once if the person has already applied for the job.
WITH application AS (
    INSERT INTO applications (
        id, job_id, company_id, app_id, person_id, status, applied_at, updated_at, source, answers,
        history_status, history_at, cv_id, cv_title, cv_updated_at
    ) VALUES (
        @id, @job_id, @company_id, @app_id, @person_id, @status, @applied_at, @updated_at, @source, @answers,
        @history_status, @history_at, sqlc.narg('cv_id'), sqlc.narg('cv_title'), sqlc.narg('cv_updated_at')
    )
    RETURNING number
), submission AS (
    INSERT INTO submissions (application_id, cover_letter, cv_created_at, cv_content)
    VALUES (@id, @cover_letter, sqlc.narg('cv_created_at'), sqlc.narg('cv_content'))
)
INSERT INTO application_search (application, job, applied_at, status, search_text)
SELECT number, @job, @applied_at, @status, @search_text FROM application;

-- name: ClaimResume :execrows
-- Updates no row if the resume does not exist, belongs to a different person, is incomplete, or has
-- already been claimed. Index: resumes_pkey.
UPDATE resumes SET application_id = @application_id
WHERE id = @id AND person_id = @person_id AND ready AND application_id IS NULL;

-- name: LockApplication :one
-- Returns an application and its applicant, and locks the application to change its stage. Index:
-- applications_pkey, profiles_pkey.
SELECT
    sqlc.embed(a),
    p.name, p.username, p.email, p.headline,
    (p.avatar_url <> '')::boolean AS has_photo
FROM applications a
JOIN profiles p ON p.person_id = a.person_id
WHERE a.id = @id
FOR NO KEY UPDATE OF a;

-- name: MoveApplication :exec
-- Index: applications_pkey, application_search_pkey.
WITH application AS (
    UPDATE applications SET
        status         = @status,
        updated_at     = @at,
        history_status = history_status || @status::text,
        history_at     = history_at || @at::timestamptz
    WHERE id = @id
    RETURNING number
)
UPDATE application_search s SET status = @status
FROM application WHERE s.application = application.number;

-- name: RewriteSearch :exec
-- Updates the search texts of a person whose name or email address has changed. It keeps the last
-- line, which is the title of the CV. Index: applications_once, application_search_pkey.
UPDATE application_search s SET search_text = @person_text::text || E'\n' || split_part(s.search_text, E'\n', 3)
FROM applications a
WHERE a.person_id = @person_id AND s.application = a.number;

-- name: Applications :many
-- Returns one page of a job's applications in all stages, newest first. It contains applications
-- from before `before`, without the first `skip` of them. The index finds the page before the rows
-- are read. ANY of an array prevents a generic plan from joining a page of unknown size with whole
-- tables. Index: applications_by_job, applications_pkey, profiles_pkey, application_totals_pkey.
SELECT
    coalesce((SELECT t.count FROM application_totals t WHERE t.job_id = @job_id AND t.status = ''), 0)::integer AS total,
    sqlc.embed(a),
    p.name, p.username, p.email, p.headline,
    (p.avatar_url <> '')::boolean AS has_photo
FROM applications a
JOIN profiles p ON p.person_id = a.person_id
WHERE a.id = ANY (ARRAY(
    SELECT i.id FROM applications i
    WHERE i.job_id = @job_id AND i.applied_at < @before
    ORDER BY i.applied_at DESC, i.id DESC
    OFFSET @skip::bigint LIMIT @size))
ORDER BY a.applied_at DESC, a.id DESC;

-- name: ApplicationsInStage :many
-- Returns the same as Applications for one stage. Index: applications_by_job_and_status,
-- applications_pkey, profiles_pkey, application_totals_pkey.
SELECT
    coalesce((SELECT t.count FROM application_totals t WHERE t.job_id = @job_id AND t.status = @status), 0)::integer AS total,
    sqlc.embed(a),
    p.name, p.username, p.email, p.headline,
    (p.avatar_url <> '')::boolean AS has_photo
FROM applications a
JOIN profiles p ON p.person_id = a.person_id
WHERE a.id = ANY (ARRAY(
    SELECT i.id FROM applications i
    WHERE i.job_id = @job_id AND i.status = @status AND i.applied_at < @before
    ORDER BY i.applied_at DESC, i.id DESC
    OFFSET @skip::bigint LIMIT @size))
ORDER BY a.applied_at DESC, a.id DESC;
