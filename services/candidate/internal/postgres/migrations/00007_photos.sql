-- +goose Up

-- The photos that people gave inline, a row each. The avatar_url of their profiles is
-- 'data:image/jpeg;base64,' then, an inline image without its bytes: replicas of the
-- release before take it for a photo that cannot be shown, and can replace and clear it.
-- While avatar_url is anything else, a row here is left over and means nothing.
CREATE TABLE photos (
    person_id text  PRIMARY KEY REFERENCES profiles,
    -- A JPEG of at most 512 pixels and less than 100 KiB, made by package picture.
    jpeg      bytea NOT NULL
);
-- A JPEG does not get smaller, so nothing is spent on trying.
ALTER TABLE photos ALTER COLUMN jpeg SET STORAGE EXTERNAL;

-- Finds the inline photos that are still in profiles: those of before this migration, and
-- those that replicas of the release before write beside it. SQL cannot encode pictures,
-- so a job of the service moves them (package photo).
CREATE INDEX profiles_inline_photo ON profiles (person_id)
    WHERE left(avatar_url, 5) = 'data:' AND avatar_url <> 'data:image/jpeg;base64,';

-- +goose Down
DROP INDEX profiles_inline_photo;
DROP TABLE photos;
