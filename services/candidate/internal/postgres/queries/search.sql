-- name: SearchedJob :one
-- A job's number in the search, and the number of its applications. No row before the first
-- application. Index: job_numbers_pkey, application_totals_pkey.
SELECT
    j.number,
    coalesce((SELECT t.count FROM application_totals t WHERE t.job_id = j.job_id AND t.status = ''), 0)::integer AS applications
FROM job_numbers j
WHERE j.job_id = @job_id;

-- name: CountHits :one
-- Counts the applications of a job that match the first of up to three texts that has matches, in
-- all stages if the status is empty; 0 for the other texts. The patterns are for LIKE, which
-- trigrams serve. A text of `wholes` that is not empty must also be contained. Index:
-- application_search_text, or application_search_job for a text without trigrams.
WITH first AS MATERIALIZED (
    SELECT count(*)::integer AS hits FROM application_search s
    WHERE s.job = @job AND s.search_text LIKE (@patterns::text[])[1] AND strpos(s.search_text, (@wholes::text[])[1]) > 0
        AND (@status::text = '' OR s.status = @status)
), second AS MATERIALIZED (
    SELECT count(*)::integer AS hits FROM application_search s
    WHERE (SELECT first.hits FROM first) = 0 AND s.job = @job AND s.search_text LIKE (@patterns::text[])[2] AND strpos(s.search_text, (@wholes::text[])[2]) > 0
        AND (@status::text = '' OR s.status = @status)
), third AS MATERIALIZED (
    SELECT count(*)::integer AS hits FROM application_search s
    WHERE (SELECT first.hits + second.hits FROM first, second) = 0 AND s.job = @job AND s.search_text LIKE (@patterns::text[])[3] AND strpos(s.search_text, (@wholes::text[])[3]) > 0
        AND (@status::text = '' OR s.status = @status)
)
SELECT first.hits AS first, second.hits AS second, third.hits AS third FROM first, second, third;

-- name: CollectHits :many
-- A page of the hits of one text of CountHits, newest first. It collects and sorts all hits. All
-- hits with the time of the last row belong to the page. Index: as CountHits.
WITH hits AS MATERIALIZED (
    SELECT s.application, s.applied_at FROM application_search s
    WHERE s.job = @job AND s.search_text LIKE @pattern AND (@whole::text = '' OR strpos(s.search_text, @whole) > 0)
        AND (@status::text = '' OR s.status = @status)
)
SELECT application, applied_at FROM hits
ORDER BY applied_at DESC
OFFSET @skip::bigint
FETCH FIRST (@size::bigint) ROWS WITH TIES;

-- name: SetSorting :exec
-- Allows ('on') or avoids ('off') sorting until the transaction ends. It reads no table.
SELECT set_config('enable_sort', @allowed::text, true);

-- name: WalkHits :many
-- The same page, from a walk through the newest `reach` applications of the job. It is shorter if
-- they have too few hits. No index serves strpos, so the planner cannot collect all hits instead.
-- Index: application_search_job.
SELECT w.application, w.applied_at FROM (
    SELECT s.application, s.applied_at, s.status, s.search_text FROM application_search s
    WHERE s.job = @job
    ORDER BY s.applied_at DESC
    FETCH FIRST (@reach::bigint) ROWS WITH TIES
) w
WHERE strpos(w.search_text, @query) > 0 AND (@status::text = '' OR w.status = @status)
ORDER BY w.applied_at DESC
OFFSET @skip::bigint
FETCH FIRST (@size::bigint) ROWS WITH TIES;

-- name: Hits :many
-- The rows of a page of CollectHits or WalkHits. Applications with the same time are ordered by id,
-- so all hits with the time of the newest row are read and sorted with the page: `newest` is that
-- time, `tied` the number of found rows that have it. Index: application_search_job,
-- applications_number_key, applications_pkey, profiles_pkey.
WITH tie AS MATERIALIZED (
    SELECT s.application FROM application_search s
    WHERE s.job = @job AND s.applied_at = @newest AND strpos(s.search_text, @query) > 0
        AND (@status::text = '' OR s.status = @status)
)
SELECT
    sqlc.embed(a),
    p.name, p.username, p.email, p.headline,
    (p.avatar_url <> '')::boolean AS has_photo
FROM (
    SELECT i.id
    FROM (SELECT unnest(@found::bigint[]) AS application UNION SELECT tie.application FROM tie) hit
    JOIN applications i ON i.number = hit.application
    ORDER BY i.applied_at DESC, i.id DESC
    OFFSET (SELECT count(*) FROM tie) - @tied::bigint LIMIT @size::bigint
) page
JOIN applications a ON a.id = page.id
JOIN profiles p ON p.person_id = a.person_id
ORDER BY a.applied_at DESC, a.id DESC;
