-- +goose Up

-- The version of a profile, and of a CV, counts its writes. A save carries the version of
-- what it was made from, and is refused if there is a newer one. A trigger counts, so that
-- a write of a replica of the release before counts too. It fires for statements that set
-- updated_at, as every write does that a person could see: moving a photo and counting CVs
-- change nothing that somebody has typed.
ALTER TABLE profiles ADD COLUMN version bigint NOT NULL DEFAULT 1;
ALTER TABLE cvs ADD COLUMN version bigint NOT NULL DEFAULT 1;

-- +goose StatementBegin
CREATE FUNCTION count_version() RETURNS trigger LANGUAGE plpgsql AS $$
BEGIN
    NEW.version := OLD.version + 1;
    RETURN NEW;
END
$$;
-- +goose StatementEnd

CREATE TRIGGER profiles_count_version BEFORE UPDATE OF updated_at ON profiles
    FOR EACH ROW EXECUTE FUNCTION count_version();
CREATE TRIGGER cvs_count_version BEFORE UPDATE OF updated_at ON cvs
    FOR EACH ROW EXECUTE FUNCTION count_version();

-- +goose Down
DROP TRIGGER cvs_count_version ON cvs;
DROP TRIGGER profiles_count_version ON profiles;
DROP FUNCTION count_version();
ALTER TABLE cvs DROP COLUMN version;
ALTER TABLE profiles DROP COLUMN version;
