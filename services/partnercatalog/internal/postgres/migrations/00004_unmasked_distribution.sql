-- +goose Up

-- The distribution that a confidential job has again when its confidentiality ends
-- (behaviour: jobs#confidential-jobs). Empty for a job that is not confidential, and for
-- one that was made confidential before this column was there.
ALTER TABLE jobs ADD COLUMN unmasked_distribution text NOT NULL DEFAULT '';

-- A replica of the release before ends confidentiality without a look at the column. What
-- it leaves behind must not come back when the job is made confidential a second time.
-- +goose StatementBegin
CREATE FUNCTION forget_unmasked_distribution() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    new.unmasked_distribution := '';
    RETURN new;
END $$;
-- +goose StatementEnd

CREATE TRIGGER jobs_unmasked BEFORE UPDATE ON jobs
    FOR EACH ROW WHEN (new.confidential IS NOT TRUE AND new.unmasked_distribution <> '')
    EXECUTE FUNCTION forget_unmasked_distribution();

-- +goose Down
DROP TRIGGER jobs_unmasked ON jobs;
DROP FUNCTION forget_unmasked_distribution;
ALTER TABLE jobs DROP COLUMN unmasked_distribution;
