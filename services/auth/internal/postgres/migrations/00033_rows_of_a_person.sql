-- +goose NO TRANSACTION
-- +goose Up

-- What finds the rows of a person for an export and for the deletion of the account. The indexes
-- are built beside the writers. One that an interrupted build has left cannot be used, and is
-- made anew.
DROP INDEX IF EXISTS connections_person;
CREATE INDEX CONCURRENTLY connections_person ON connections (person_id);

-- What a person has made in developer accounts. accounts_creator has the open ones.
DROP INDEX IF EXISTS accounts_closed_creator;
CREATE INDEX CONCURRENTLY accounts_closed_creator ON accounts (created_by) WHERE created_by <> '' AND closed_at IS NOT NULL;
DROP INDEX IF EXISTS apps_maker;
CREATE INDEX CONCURRENTLY apps_maker ON apps (created_by) WHERE created_by <> '';
DROP INDEX IF EXISTS api_keys_maker;
CREATE INDEX CONCURRENTLY api_keys_maker ON api_keys (created_by) WHERE created_by <> '';
DROP INDEX IF EXISTS client_secrets_maker;
CREATE INDEX CONCURRENTLY client_secrets_maker ON client_secrets (created_by) WHERE created_by <> '';
DROP INDEX IF EXISTS invitations_maker;
CREATE INDEX CONCURRENTLY invitations_maker ON invitations (created_by) WHERE created_by <> '';
DROP INDEX IF EXISTS plan_requests_maker;
CREATE INDEX CONCURRENTLY plan_requests_maker ON plan_requests (created_by) WHERE created_by <> '';

-- What is kept by an address.
DROP INDEX IF EXISTS accounts_email;
CREATE INDEX CONCURRENTLY accounts_email ON accounts (lower(email));
DROP INDEX IF EXISTS invitations_email;
CREATE INDEX CONCURRENTLY invitations_email ON invitations (email_key);
DROP INDEX IF EXISTS mail_outbox_email;
CREATE INDEX CONCURRENTLY mail_outbox_email ON mail_outbox (email_key);

-- +goose Down
DROP INDEX mail_outbox_email, invitations_email, accounts_email, plan_requests_maker, invitations_maker, client_secrets_maker,
  api_keys_maker, apps_maker, accounts_closed_creator, connections_person;
