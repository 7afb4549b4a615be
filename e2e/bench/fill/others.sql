-- Copies an application ($1) ten times for each of $3 other jobs, with people whose ids start
-- with $2: a deployment has many small jobs in addition to its largest.
INSERT INTO applications (
    id, job_id, company_id, app_id, person_id, status, applied_at, updated_at, source, answers,
    history_status, history_at, cv_id, cv_title, cv_updated_at
)
SELECT
    'other-' || job.n || '-' || k, 'other-' || job.n, template.company_id, template.app_id, $2 || '-' || lpad((10 * job.n + k)::text, 9, '0'),
    template.status, template.applied_at, template.updated_at, template.source, template.answers,
    template.history_status, template.history_at, template.cv_id, template.cv_title, template.cv_updated_at
FROM applications AS template, generate_series(1, $3::integer) AS job (n), generate_series(1, 10) AS k
WHERE template.id = $1
