-- name: SearchedJob :one
-- A job's number in the search, and how many applications it has. No row when
-- nobody applied. Index: job_numbers_pkey, application_totals_pkey.
SELECT
    j.number,
    coalesce((SELECT t.count FROM application_totals t WHERE t.job_id = j.job_id AND t.status = ''), 0)::integer AS applications
FROM job_numbers j
WHERE j.job_id = @job_id;

-- name: CountHits :one
-- How many applications of a job, in a stage unless that is empty, have a text in
-- them: what LIKE the pattern, so that trigrams find it, and besides, if it is not
-- empty, all of `whole`. Index: application_search_text, or application_search_job
-- for a text without trigrams.
SELECT count(*)::integer FROM application_search s
WHERE s.job = @job AND s.search_text LIKE @pattern AND (@whole::text = '' OR strpos(s.search_text, @whole) > 0)
    AND (@status::text = '' OR s.status = @status);

-- name: CollectHits :many
-- A page of those, newest first, found all and then put in order; the last comes
-- with all that were made at its time. Index: as CountHits.
WITH hits AS MATERIALIZED (
    SELECT s.application, s.applied_at FROM application_search s
    WHERE s.job = @job AND s.search_text LIKE @pattern AND (@whole::text = '' OR strpos(s.search_text, @whole) > 0)
        AND (@status::text = '' OR s.status = @status)
)
SELECT application, applied_at FROM hits
ORDER BY applied_at DESC
OFFSET @skip::bigint
FETCH FIRST (@size::bigint) ROWS WITH TIES;

-- name: WalkHits :many
-- The same page, met on a walk through the newest `reach` applications of the job;
-- shorter when they have not that many hits. Asked for with strpos, which no index
-- serves, so that the planner cannot fetch all hits instead. Index:
-- application_search_job.
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
-- The rows of a page that one of those two found. Where applications were made at
-- one time the page is cut by their ids, so all hits of the time of its newest one
-- are put in order with it: `newest`, which `tied` of the found ones have. Index:
-- application_search_job, applications_number_key, applications_pkey,
-- profiles_pkey.
WITH tie AS MATERIALIZED (
    SELECT s.application FROM application_search s
    WHERE s.job = @job AND s.applied_at = @newest AND strpos(s.search_text, @query) > 0
        AND (@status::text = '' OR s.status = @status)
)
SELECT
    sqlc.embed(a),
    p.name, p.username, p.email, p.headline,
    (CASE WHEN octet_length(p.avatar_url) > @max_image::integer THEN '' ELSE p.avatar_url END)::text AS image
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
