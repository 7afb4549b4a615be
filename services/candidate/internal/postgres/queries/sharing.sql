-- name: SharedReference :one
-- A person and the CV of theirs that was chosen, by name. Index: profiles_pkey,
-- cvs_pkey.
SELECT
    p.person_id, p.email, p.email_verified, p.name, p.username, p.headline, p.locale, p.avatar_url,
    p.uae_pass_verified, p.open_to_work, p.profile_public, p.has_main_cv, p.updated_at,
    c.id AS cv_id, c.title AS cv_title, c.updated_at AS cv_updated_at
FROM profiles p
LEFT JOIN cvs c ON c.id = @cv_id AND c.person_id = p.person_id
WHERE p.person_id = @person_id;

-- name: SharedDocument :one
-- A person and the CV of theirs that was chosen, whole. The main CV's content is
-- read only if it is the one. Index: profiles_pkey, cvs_pkey.
SELECT
    p.person_id, p.email, p.email_verified, p.name, p.username, p.headline, p.locale, p.avatar_url,
    p.uae_pass_verified, p.open_to_work, p.profile_public, p.has_main_cv, p.updated_at,
    p.phone, p.address,
    p.date_of_birth, p.gender, p.marital_status, p.nationality, p.residence, p.visa_residency,
    p.national_service, p.dependents,
    coalesce(p.content ->> 'location', '')::text AS location,
    c.id AS cv_id, c.title AS cv_title, c.updated_at AS cv_updated_at,
    (CASE WHEN @cv_id::text = @main_cv_id::text THEN p.content ELSE c.content END)::jsonb AS content
FROM profiles p
LEFT JOIN cvs c ON c.id = @cv_id AND c.person_id = p.person_id
WHERE p.person_id = @person_id;

-- name: PublishedDocument :one
-- A person with a public page, with the main CV, and nothing that a public page
-- cannot show. Index: profiles_username.
SELECT
    person_id, name, username, headline, locale, avatar_url,
    uae_pass_verified, open_to_work, profile_public, has_main_cv, updated_at, content
FROM profiles
WHERE lower(username) = lower(@username) AND username <> '' AND profile_public;
