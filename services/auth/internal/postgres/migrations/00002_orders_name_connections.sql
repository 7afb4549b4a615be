-- +goose Up

-- A row for a connection names the connection instead of listing hashes: a list that
-- is made inside the transaction misses tokens that other transactions commit before
-- this one commits. The column is empty in rows that list hashes or name the whole
-- account.
ALTER TABLE forget_outbox ADD COLUMN connection_id text NOT NULL DEFAULT '';
CREATE INDEX forget_outbox_account ON forget_outbox (account_id);

-- +goose Down
DROP INDEX forget_outbox_account;
ALTER TABLE forget_outbox DROP COLUMN connection_id;
