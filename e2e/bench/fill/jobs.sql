-- Copies a job ($1) $3 times into a company ($2), half a minute apart. Triggers update the
-- counts as usual.
INSERT INTO jobs (
    id, company_id, status, title, department, country, city, work_mode, employment, seniority,
    summary, responsibilities, requirements, nice_to_have, benefits,
    salary_min, salary_max, salary_currency, salary_period, salary_visible,
    candidate_location, experience_years, language, work_eligibility,
    programme, programme_note, programme_accepted, questions, distribution, confidential, public_label,
    application_count, posted_at, created_at, updated_at
)
SELECT
    $2 || '-' || lpad(n::text, 9, '0'), $2,
    CASE WHEN n % 20 = 0 THEN 'archived' WHEN n % 20 < 3 THEN 'draft' WHEN n % 20 < 6 THEN 'closed' ELSE 'active' END,
    title || ' ' || n, department, country, city, work_mode, employment, seniority,
    summary, responsibilities, requirements, nice_to_have, benefits,
    salary_min, salary_max, salary_currency, salary_period, salary_visible,
    candidate_location, experience_years, language, work_eligibility,
    programme, programme_note, programme_accepted, questions, distribution, confidential, public_label,
    0, CASE WHEN n % 20 BETWEEN 1 AND 2 THEN NULL ELSE made.at END, made.at, made.at
FROM jobs AS template, generate_series(1, $3::integer) AS n,
    LATERAL (SELECT date_trunc('milliseconds', now()) - n * interval '30 seconds' AS at) AS made
WHERE template.id = $1
