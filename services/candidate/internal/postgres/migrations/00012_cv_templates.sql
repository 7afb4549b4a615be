-- +goose Up

-- The template that the PDF of a CV is laid out in (behaviour: pdf#templates): 'classic' or
-- 'compact'. Replicas of the release before make CVs without naming one, and lay all of them
-- out in the classic one.
ALTER TABLE profiles ADD COLUMN cv_template text NOT NULL DEFAULT 'classic'; -- of the main CV
ALTER TABLE cvs ADD COLUMN template text NOT NULL DEFAULT 'classic';

-- +goose Down
ALTER TABLE cvs DROP COLUMN template;
ALTER TABLE profiles DROP COLUMN cv_template;
