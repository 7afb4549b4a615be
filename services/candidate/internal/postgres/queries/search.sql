-- name: SearchedJob :one
-- Returns a job's number in the search tables, and the number of its applications. It returns no
-- row before the first application. Index: job_numbers_pkey, application_totals_pkey.
SELECT
    j.number,
    coalesce((SELECT t.count FROM application_totals t WHERE t.job_id = j.job_id AND t.status = ''), 0)::integer AS applications
FROM job_numbers j
WHERE j.job_id = @job_id;

-- name: CountHits :one
-- Counts the applications to a job that match a search text, in all stages if the status is empty.
-- Of up to three search texts, it counts the first that has matches, and returns 0 for the others.
-- The patterns are LIKE patterns, which the trigram index supports. Applications must also contain
-- the text in `wholes` if it is not empty. Index: application_search_text, or
-- application_search_job for a text without trigrams.
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
-- Returns one page of the hits of one search text, newest first. It collects and sorts all hits.
-- The page includes all hits with the time of its last row. Index: the same as CountHits.
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
-- Allows sorting ('on') or avoids it ('off') until the transaction ends. It reads no table.
SELECT set_config('enable_sort', @allowed::text, true);

-- name: WalkHits :many
-- Returns the same page as CollectHits, by walking through the job's newest `reach` applications.
-- The page is shorter if they contain too few hits. No index supports strpos, so the planner cannot
-- collect all hits instead. Index: application_search_job.
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
-- Returns the rows of a page from CollectHits or WalkHits. Applications with the same time are
-- ordered by id. Therefore it reads all hits with the time of the newest row, and sorts them
-- together with the page. `newest` is that time, and `tied` is the number of rows on the page that
-- have it. Index: application_search_job, applications_number_key, applications_pkey,
-- profiles_pkey.
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
