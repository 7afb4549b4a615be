-- +goose Up

-- The version of the address of a photo (behaviour: photos#when-an-address-dies). The
-- gateway signs it together with the connection's id. A new version ends the address.
ALTER TABLE connections ADD COLUMN photo_version integer NOT NULL DEFAULT 0;

-- Triggers count the versions, so that whatever ends a durable link, a token family or the
-- permission ends the address too, in the same transaction, and in replicas of the release
-- before as well. All of them hold the lock of the connection's row already.

-- The permission is taken back. A photo that is shared again has another address.
-- +goose StatementBegin
CREATE FUNCTION end_unshared_photo_address() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  NEW.photo_version := OLD.photo_version + 1;
  RETURN NEW;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER connections_photo_unshared BEFORE UPDATE OF share_photo ON connections
FOR EACH ROW WHEN (OLD.share_photo AND NOT NEW.share_photo)
EXECUTE FUNCTION end_unshared_photo_address();

-- A durable link or a token family of the connection ends.
-- +goose StatementBegin
CREATE FUNCTION end_photo_address() RETURNS trigger
LANGUAGE plpgsql
AS $$
BEGIN
  UPDATE connections SET photo_version = photo_version + 1 WHERE id = NEW.connection_id;
  RETURN NULL;
END
$$;
-- +goose StatementEnd
CREATE TRIGGER cv_links_photo AFTER UPDATE OF ended_at ON cv_links
FOR EACH ROW WHEN (OLD.ended_at IS NULL AND NEW.ended_at IS NOT NULL)
EXECUTE FUNCTION end_photo_address();
CREATE TRIGGER token_families_photo AFTER UPDATE OF revoked_at ON token_families
FOR EACH ROW WHEN (OLD.revoked_at IS NULL AND NEW.revoked_at IS NOT NULL)
EXECUTE FUNCTION end_photo_address();

-- +goose Down
DROP TRIGGER token_families_photo ON token_families;
DROP TRIGGER cv_links_photo ON cv_links;
DROP TRIGGER connections_photo_unshared ON connections;
DROP FUNCTION end_photo_address(), end_unshared_photo_address();
ALTER TABLE connections DROP COLUMN photo_version;
