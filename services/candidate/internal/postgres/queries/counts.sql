-- name: MoveTotals :exec
-- Adds a delta to the total of a job in each status; '' means all. Every writer locks the rows in
-- the order of their keys, so that two writers cannot deadlock. Index: application_totals_pkey.
INSERT INTO application_totals (job_id, status, count)
SELECT @job_id, d.status, d.delta
FROM (SELECT unnest(@statuses::text[]) AS status, unnest(@deltas::integer[]) AS delta) d
ORDER BY d.status
ON CONFLICT (job_id, status) DO UPDATE SET count = application_totals.count + EXCLUDED.count;

-- name: MoveHours :exec
-- MoveTotals for the hour of the application. It must run after MoveTotals, which serialises the
-- writers. Index: application_counts_pkey.
INSERT INTO application_counts (job_id, status, hour, count)
SELECT @job_id, d.status, @hour, d.delta
FROM (SELECT unnest(@statuses::text[]) AS status, unnest(@deltas::integer[]) AS delta) d
ORDER BY d.status
ON CONFLICT (job_id, status, hour) DO UPDATE SET count = application_counts.count + EXCLUDED.count;

-- name: Total :one
-- The number of applications of a job in a stage; '' for all. Index:
-- application_totals_pkey.
SELECT coalesce((SELECT count FROM application_totals WHERE job_id = @job_id AND status = @status), 0)::integer;

-- name: HourOfOffset :one
-- The hour of the application that has `skipped` newer ones, and the number of applications in
-- later hours. No row past the end. Index: application_counts_pkey.
SELECT h.hour, h.later
FROM (
    SELECT hour, count, (sum(count) OVER (ORDER BY hour DESC) - count)::bigint AS later
    FROM application_counts
    WHERE job_id = @job_id AND status = @status
) h
WHERE h.later <= @skipped::bigint AND h.later + h.count > @skipped::bigint;
