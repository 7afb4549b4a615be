-- Makes the candidate service send the application count of every job again, for a partnercatalog database that was
-- restored to an earlier time.
INSERT INTO application_count_outbox (job_id, count, leased_until)
SELECT job_id, count, '-infinity' FROM application_totals WHERE status = ''
ON CONFLICT (job_id) DO UPDATE SET
  count = greatest(application_count_outbox.count, EXCLUDED.count), leased_until = EXCLUDED.leased_until;
