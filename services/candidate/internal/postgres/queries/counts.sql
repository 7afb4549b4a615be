-- name: MoveTotals :exec
-- Adds a delta to the totals of a job per status. The status '' stands for all statuses. Every
-- writer locks the rows in the order of their keys, so two writers cannot deadlock. Index:
-- application_totals_pkey.
INSERT INTO application_totals (job_id, status, count)
SELECT @job_id, d.status, d.delta
FROM (SELECT unnest(@statuses::text[]) AS status, unnest(@deltas::integer[]) AS delta) d
ORDER BY d.status
ON CONFLICT (job_id, status) DO UPDATE SET count = application_totals.count + EXCLUDED.count;

-- name: MoveHours :exec
-- Adds a delta to the counts for the hour of the application. It must run after MoveTotals, which
-- serializes the writers. Index: application_counts_pkey.
INSERT INTO application_counts (job_id, status, hour, count)
SELECT @job_id, d.status, @hour, d.delta
FROM (SELECT unnest(@statuses::text[]) AS status, unnest(@deltas::integer[]) AS delta) d
ORDER BY d.status
ON CONFLICT (job_id, status, hour) DO UPDATE SET count = application_counts.count + EXCLUDED.count;

-- name: Total :one
-- Returns the number of applications to a job in a stage, or in all stages if the status is ''.
-- Index: application_totals_pkey.
SELECT coalesce((SELECT count FROM application_totals WHERE job_id = @job_id AND status = @status), 0)::integer;

-- name: HourOfOffset :one
-- Returns the hour of the application that `skipped` newer applications precede, and the number of
-- applications in later hours. It returns no row past the end. Index: application_counts_pkey.
SELECT h.hour, h.later
FROM (
    SELECT hour, count, (sum(count) OVER (ORDER BY hour DESC) - count)::bigint AS later
    FROM application_counts
    WHERE job_id = @job_id AND status = @status
) h
WHERE h.later <= @skipped::bigint AND h.later + h.count > @skipped::bigint;
