-- name: CreateProfile :exec
INSERT INTO profiles (
    person_id, email, email_verified, name, username, headline, locale, avatar_url,
    uae_pass_verified, open_to_work, profile_public, phone, address,
    date_of_birth, gender, marital_status, nationality, residence, visa_residency, national_service, dependents,
    content, has_main_cv, created_at, updated_at
) VALUES (
    @person_id, @email, @email_verified, @name, @username, @headline, @locale, @avatar_url,
    @uae_pass_verified, @open_to_work, @profile_public, @phone, @address,
    @date_of_birth, @gender, @marital_status, @nationality, @residence, @visa_residency, @national_service, @dependents,
    @content, @has_main_cv, @created_at, @updated_at
);

-- name: UpdateProfile :execrows
-- Replaces the columns whose parameters are not null. It is one statement, so writers of different
-- fields do not undo each other's changes. updated_at never decreases, even if the writer's clock
-- is behind. Index: profiles_pkey.
UPDATE profiles SET
    email             = coalesce(sqlc.narg('email'), email),
    email_verified    = coalesce(sqlc.narg('email_verified'), email_verified),
    name              = coalesce(sqlc.narg('name'), name),
    username          = coalesce(sqlc.narg('username'), username),
    headline          = coalesce(sqlc.narg('headline'), headline),
    locale            = coalesce(sqlc.narg('locale'), locale),
    avatar_url        = coalesce(sqlc.narg('avatar_url'), avatar_url),
    uae_pass_verified = coalesce(sqlc.narg('uae_pass_verified'), uae_pass_verified),
    open_to_work      = coalesce(sqlc.narg('open_to_work'), open_to_work),
    profile_public    = coalesce(sqlc.narg('profile_public'), profile_public),
    phone             = coalesce(sqlc.narg('phone'), phone),
    address           = coalesce(sqlc.narg('address'), address),
    date_of_birth     = coalesce(sqlc.narg('date_of_birth'), date_of_birth),
    gender            = coalesce(sqlc.narg('gender'), gender),
    marital_status    = coalesce(sqlc.narg('marital_status'), marital_status),
    nationality       = coalesce(sqlc.narg('nationality'), nationality),
    residence         = coalesce(sqlc.narg('residence'), residence),
    visa_residency    = coalesce(sqlc.narg('visa_residency'), visa_residency),
    national_service  = coalesce(sqlc.narg('national_service'), national_service),
    dependents        = coalesce(sqlc.narg('dependents'), dependents),
    content           = coalesce(sqlc.narg('content'), content),
    has_main_cv       = coalesce(sqlc.narg('has_main_cv'), has_main_cv),
    updated_at        = greatest(@updated_at, updated_at)
WHERE person_id = @person_id;

-- name: LockHandle :one
-- Returns a profile's handle and locks the profile. Index: profiles_pkey.
SELECT username FROM profiles WHERE person_id = @person_id FOR UPDATE;

-- name: ReleaseHandle :exec
-- Reserves a released handle for the person who had it. It keeps only the `skip` newest of the
-- person's other reservations. Index: released_handles_free, released_handles_person,
-- released_handles_pkey.
WITH freed AS (DELETE FROM released_handles f WHERE f.free_at < @at AND f.handle <> sha256(convert_to(lower(@username::text), 'UTF8'))),
    spare AS (
        DELETE FROM released_handles d WHERE d.handle IN (
            SELECT o.handle FROM released_handles o
            WHERE o.person_id = @person_id AND o.handle <> sha256(convert_to(lower(@username::text), 'UTF8'))
            ORDER BY o.free_at DESC OFFSET @skip::integer)
    )
INSERT INTO released_handles (handle, person_id, free_at)
VALUES (sha256(convert_to(lower(@username::text), 'UTF8')), @person_id, @free_at)
ON CONFLICT (handle) DO UPDATE SET person_id = excluded.person_id, free_at = excluded.free_at;

-- name: HandleIsReleased :one
-- Reports whether the handle is reserved for a different person. Index: released_handles_pkey.
SELECT EXISTS (
    SELECT FROM released_handles r
    WHERE r.handle = sha256(convert_to(lower(@username::text), 'UTF8')) AND r.free_at > @at AND r.person_id <> @person_id);

-- name: ProfileTaken :one
-- Reports whether the person has a profile, and whether any profile has the handle
-- (case-insensitive). Index: profiles_pkey, profiles_username.
SELECT
    EXISTS (SELECT FROM profiles WHERE profiles.person_id = @person_id) AS person_taken,
    EXISTS (SELECT FROM profiles WHERE lower(profiles.username) = lower(@username) AND profiles.username <> '') AS username_taken;
