-- +goose Up

-- An order for a connection names it instead of listing hashes: the list made in
-- the transaction misses tokens that others commit before it does. Empty for
-- orders that list hashes or take the whole account.
ALTER TABLE forget_outbox ADD COLUMN connection_id text NOT NULL DEFAULT '';
CREATE INDEX forget_outbox_account ON forget_outbox (account_id);

-- +goose Down
DROP INDEX forget_outbox_account;
ALTER TABLE forget_outbox DROP COLUMN connection_id;
