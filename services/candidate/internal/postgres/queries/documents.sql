-- name: Documents :many
-- Returns one row per CV of a person, or one row without a CV. It returns no row if the person has
-- no profile. Index: profiles_pkey, cvs_by_person.
SELECT p.has_main_cv, p.updated_at AS profile_updated_at, p.cv_template, c.id, c.title, c.updated_at, c.template
FROM profiles p
LEFT JOIN cvs c ON c.person_id = p.person_id
WHERE p.person_id = @person_id
ORDER BY c.created_at DESC, c.id DESC;

-- name: ChooseMainTemplate :execrows
-- A template is not shared data, so updated_at does not change. Index: profiles_pkey.
UPDATE profiles SET cv_template = @template WHERE person_id = @person_id AND has_main_cv;

-- name: ChooseTemplate :execrows
-- As with ChooseMainTemplate, updated_at does not change. Index: cvs_pkey.
UPDATE cvs SET template = @template WHERE id = @id AND person_id = @person_id;
