-- Copies a person ($1) $3 times, with ids that start with $2, 10 given names and 40,000 family
-- names.
INSERT INTO profiles (
    person_id, email, email_verified, name, username, headline, locale, avatar_url, uae_pass_verified, open_to_work, profile_public,
    phone, address, date_of_birth, gender, marital_status, nationality, residence, visa_residency, national_service, dependents,
    content, has_main_cv, created_at, updated_at
)
SELECT
    $2 || '-' || lpad(n::text, 9, '0'), 'person' || n || '@applicants.example', true,
    (ARRAY['Layla', 'Omar', 'Fatima', 'Yusuf', 'Maryam', 'Hamad', 'Aisha', 'Khalid', 'Noura', 'Salim'])[1 + n % 10]
        || ' ' || (ARRAY['Al', 'Ben', 'Van', 'De', 'Mac'])[1 + n / 10 % 5] || translate((n * 7919::bigint % 40000)::text, '0123456789', 'abdefikmot'),
    '', headline, locale, '', uae_pass_verified, open_to_work, false,
    '', '', '', '', '', '', '', '', '', '', content, has_main_cv, created_at, updated_at
FROM profiles AS template, generate_series(1, $3::integer) AS n
WHERE template.person_id = $1
