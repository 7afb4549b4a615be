-- Copies an application ($1) to a job ($2), half a minute apart, for up to $4 people whose ids
-- start with $3.
INSERT INTO applications (
    id, job_id, company_id, app_id, person_id, status, applied_at, updated_at, source, answers,
    history_status, history_at, cv_id, cv_title, cv_updated_at
)
SELECT
    $2 || '-' || right(person.id, 9), $2, template.company_id, template.app_id, person.id,
    stage.name, made.at, made.at, template.source, template.answers, ARRAY['applied', stage.name], ARRAY[made.at, made.at],
    template.cv_id, template.cv_title, template.cv_updated_at
FROM applications AS template,
    (SELECT person_id AS id, right(person_id, 9)::integer AS n FROM profiles WHERE person_id LIKE $3 || '-%') AS person,
    LATERAL (SELECT date_trunc('milliseconds', now()) - person.n * interval '30 seconds' AS at) AS made,
    LATERAL (SELECT (ARRAY['reviewed', 'shortlisted', 'interview', 'offered', 'rejected', 'withdrawn'])[1 + person.n % 6] AS name) AS stage
WHERE template.id = $1 AND person.n <= $4
