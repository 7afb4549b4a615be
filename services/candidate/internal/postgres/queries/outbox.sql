-- name: AnnounceTotal :exec
-- Writes the job's total to the outbox. It runs in the transaction that has increased the total and
-- holds the lock on its row. A worker that is currently sending has an older total, so the new one
-- is due immediately. Index: application_totals_pkey, application_count_outbox_pkey.
INSERT INTO application_count_outbox (job_id, count, leased_until)
SELECT t.job_id, t.count, '-infinity' FROM application_totals t WHERE t.job_id = @job_id AND t.status = ''
ON CONFLICT (job_id) DO UPDATE SET count = EXCLUDED.count, leased_until = EXCLUDED.leased_until;

-- name: LeaseTotals :many
-- Leases totals that no worker is sending. It uses the database's clock, because all replicas share
-- it. Index: application_count_outbox_due, application_count_outbox_pkey.
WITH due AS (
    SELECT o.job_id FROM application_count_outbox o
    WHERE o.leased_until < now()
    ORDER BY o.leased_until
    LIMIT @at_most
    FOR UPDATE SKIP LOCKED
)
UPDATE application_count_outbox o SET leased_until = now() + make_interval(secs => @seconds::float8)
FROM due WHERE o.job_id = due.job_id
RETURNING o.job_id, o.count;

-- name: DropTotals :exec
-- Deletes confirmed totals unless they have grown since. Index: application_count_outbox_pkey.
WITH sent AS (
    SELECT s.job_id, s.count
    FROM (SELECT unnest(@job_ids::text[]) AS job_id, unnest(@counts::integer[]) AS count) s
), confirmed AS (
    SELECT o.job_id FROM application_count_outbox o
    JOIN sent ON sent.job_id = o.job_id AND o.count <= sent.count
    ORDER BY o.job_id
    FOR UPDATE OF o
)
DELETE FROM application_count_outbox o USING confirmed WHERE o.job_id = confirmed.job_id;

-- name: ListWaitingTotals :many
-- Rows have no creation time, so they are ordered by their lease. Index:
-- application_count_outbox_due.
SELECT job_id FROM application_count_outbox ORDER BY leased_until LIMIT @at_most;
