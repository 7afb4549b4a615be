-- name: ResumesOf :many
-- Returns a person's resumes, ready or not. Index: resumes_by_person.
SELECT id, blob_key FROM resumes WHERE person_id = @person_id ORDER BY id LIMIT @at_most;

-- name: EraseResume :exec
-- Index: resumes_pkey.
DELETE FROM resumes WHERE id = @id;

-- name: LockApplicationsOf :many
-- Locks applications of a person whose data is being erased. Index: applications_once.
SELECT id, job_id, status, applied_at FROM applications WHERE person_id = @person_id
ORDER BY job_id LIMIT @at_most FOR UPDATE;

-- name: EraseApplication :exec
-- Deletes an application. Its resume, if any, must already have been deleted. Index:
-- applications_pkey, application_search_pkey, submissions_pkey.
WITH found AS (
    DELETE FROM application_search s USING applications a WHERE a.id = @id AND s.application = a.number
), submitted AS (
    DELETE FROM submissions t WHERE t.application_id = @id
)
DELETE FROM applications d WHERE d.id = @id;

-- name: EraseProfile :exec
-- Deletes the person's other data. The handle remains reserved for a while, without its owner.
-- Index: cvs_by_person, drafts_pkey, photos_pkey, exports_by_person, profiles_pkey,
-- released_handles_person.
WITH handles AS (
    UPDATE released_handles r SET person_id = '' WHERE r.person_id = @person_id
        AND r.handle <> ALL (SELECT sha256(convert_to(lower(u.username), 'UTF8')) FROM profiles u WHERE u.person_id = @person_id)
), released AS (
    INSERT INTO released_handles (handle, person_id, free_at)
    SELECT sha256(convert_to(lower(u.username), 'UTF8')), '', now() + interval '90 days' FROM profiles u WHERE u.person_id = @person_id AND u.username <> ''
    ON CONFLICT (handle) DO UPDATE SET person_id = '', free_at = excluded.free_at
),
    own_cvs AS (DELETE FROM cvs c WHERE c.person_id = @person_id),
    own_drafts AS (DELETE FROM drafts d WHERE d.person_id = @person_id),
    own_photo AS (DELETE FROM photos h WHERE h.person_id = @person_id),
    own_exports AS (DELETE FROM exports e WHERE e.person_id = @person_id)
DELETE FROM profiles p WHERE p.person_id = @person_id;

-- name: MakeAuditEventsNobodys :exec
-- Removes the person from the audit events that auth has not received yet. It reads the whole
-- table, which is usually empty.
UPDATE audit_outbox SET event = (event - 'person_id' - 'client_address' - 'details')
    || jsonb_build_object('actor', CASE WHEN event -> 'actor' ->> 'id' = @person_id::text THEN (event -> 'actor') - 'id' ELSE event -> 'actor' END)
    || jsonb_build_object('object', CASE WHEN event -> 'object' ->> 'id' = @person_id::text THEN (event -> 'object') - 'id' ELSE event -> 'object' END)
WHERE strpos(event::text, @person_id::text) > 0;
