-- name: Person :one
-- Returns a person and one of their CVs. It finds the person by id, or by handle (case-insensitive)
-- if the id is empty. It reads the content of the main CV only if that CV is selected. The other
-- queries of this file return the same columns in the same order, so that one function converts
-- them all (PersonFromRow). There, columns that a reader must not see are constants. Index:
-- profiles_pkey, profiles_username, cvs_pkey.
SELECT
    p.person_id, p.email, p.email_verified, p.name, p.username, p.headline, p.locale, p.avatar_url,
    p.uae_pass_verified, p.open_to_work, p.profile_public, p.phone, p.address,
    p.date_of_birth, p.gender, p.marital_status, p.nationality, p.residence, p.visa_residency,
    p.national_service, p.dependents, p.has_main_cv, p.created_at, p.updated_at,
    coalesce(p.content ->> 'location', '')::text AS location,
    c.id AS cv_id, c.title AS cv_title, c.updated_at AS cv_updated_at,
    (CASE WHEN @cv_id::text = @main_cv_id::text THEN p.content ELSE c.content END)::jsonb AS content,
    (CASE WHEN @cv_id::text = @main_cv_id::text THEN p.cv_template ELSE coalesce(c.template, '') END)::text AS template
FROM profiles p
LEFT JOIN cvs c ON c.id = @cv_id AND c.person_id = p.person_id
WHERE p.person_id = coalesce(
    nullif(@person_id::text, ''),
    (SELECT named.person_id FROM profiles named WHERE lower(named.username) = lower(@username::text) AND named.username <> '')
);

-- name: PersonReference :one
-- Returns a person and the title of one of their CVs, without content or private details. It reads
-- only the columns it needs, because it is the partners' most frequent read. Index: profiles_pkey,
-- cvs_pkey.
SELECT
    p.person_id, p.email, p.email_verified, p.name, p.username, p.headline, p.locale, p.avatar_url,
    p.uae_pass_verified, p.open_to_work, p.profile_public, p.has_main_cv, p.updated_at,
    c.id AS cv_id, c.title AS cv_title, c.updated_at AS cv_updated_at
FROM profiles p
LEFT JOIN cvs c ON c.id = @cv_id AND c.person_id = p.person_id
WHERE p.person_id = @person_id;

-- name: PublishedPerson :one
-- Returns a person with a public page by handle (case-insensitive), with the content of the main CV
-- and only the columns that a public page shows. Index: profiles_username.
SELECT
    p.person_id, ''::text AS email, false::boolean AS email_verified, p.name, p.username, p.headline, p.locale, p.avatar_url,
    p.uae_pass_verified, p.open_to_work, p.profile_public, ''::text AS phone, ''::text AS address,
    ''::text AS date_of_birth, ''::text AS gender, ''::text AS marital_status, ''::text AS nationality,
    ''::text AS residence, ''::text AS visa_residency,
    ''::text AS national_service, ''::text AS dependents, p.has_main_cv, p.created_at, p.updated_at,
    coalesce(p.content ->> 'location', '')::text AS location,
    NULL::text AS cv_id, NULL::text AS cv_title, NULL::timestamptz AS cv_updated_at,
    p.content, p.cv_template AS template
FROM profiles p
WHERE lower(p.username) = lower(@username) AND p.username <> '' AND p.profile_public;
