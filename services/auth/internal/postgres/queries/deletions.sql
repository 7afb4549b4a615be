-- name: AccountsOnlyOwnedBy :many
-- Indexes: members_person, accounts_pkey, members_pkey, person_deletions_pkey. Lists the open developer accounts
-- that would have no owner without the person. It ignores other owners who are about to be deleted themselves.
SELECT a.id, a.name FROM members m JOIN accounts a ON a.id = m.account_id AND a.closed_at IS NULL
WHERE m.person_id = @person_id AND m.role = 'owner'
  AND NOT EXISTS (SELECT FROM members o WHERE o.account_id = m.account_id AND o.person_id <> m.person_id AND o.role = 'owner'
      AND NOT EXISTS (SELECT FROM person_deletions d WHERE d.person_id = o.person_id))
ORDER BY a.name, a.id;

-- name: LockOwnedAccounts :exec
-- Indexes: members_person, accounts_pkey. Locks the accounts in the order of their ids, so that owners of the
-- same account who leave concurrently do so one after another.
SELECT a.id FROM accounts a
WHERE a.id = ANY (ARRAY(SELECT m.account_id FROM members m WHERE m.person_id = @person_id AND m.role = 'owner'))
ORDER BY a.id FOR NO KEY UPDATE;

-- name: AddDeletion :execrows
-- Index: person_deletions_pkey. A repeated request changes nothing.
INSERT INTO person_deletions (person_id, requested_at, due_at, next_at) VALUES (@person_id, @requested_at, @due_at, @due_at)
ON CONFLICT (person_id) DO NOTHING;

-- name: PauseConnectionsOf :many
-- Indexes: connections_live, apps_pkey. Locks the connections in the order of their ids, so that concurrent
-- transactions don't deadlock.
WITH mine AS (
  SELECT c.id FROM connections c WHERE c.person_id = @person_id AND c.ended_at IS NULL AND c.paused_at IS NULL
  ORDER BY c.id FOR NO KEY UPDATE
)
UPDATE connections SET paused_at = @at::timestamptz
FROM mine, apps WHERE connections.id = mine.id AND apps.id = connections.app_id
RETURNING connections.id, apps.account_id;

-- name: ResumeConnectionsOf :many
-- Indexes: connections_live, apps_pkey. Resumes the connections that PauseConnectionsOf paused at the given
-- time, unless the person has resumed or paused them since then.
WITH mine AS (
  SELECT c.id FROM connections c WHERE c.person_id = @person_id AND c.ended_at IS NULL AND c.paused_at = @paused_at::timestamptz
  ORDER BY c.id FOR NO KEY UPDATE
)
UPDATE connections SET paused_at = NULL
FROM mine, apps WHERE connections.id = mine.id AND apps.id = connections.app_id
RETURNING connections.id, apps.account_id;

-- name: CancelDeletion :one
-- Index: person_deletions_pkey. Deletes no row if the deletion has already begun.
DELETE FROM person_deletions WHERE person_id = @person_id AND begun_at IS NULL RETURNING requested_at;

-- name: LeaseDeletions :many
-- Indexes: person_deletions_next, person_deletions_pkey. Reserves deletions that are due for this caller, until
-- the given time. From then on, they can no longer be canceled. The column passes is the number of completed
-- steps.
UPDATE person_deletions SET next_at = @until, begun_at = coalesce(begun_at, @at::timestamptz)
WHERE person_id = ANY (ARRAY(
  SELECT d.person_id FROM person_deletions d WHERE d.next_at <= @at::timestamptz AND d.passes = ANY (@passes::integer[]) ORDER BY d.next_at LIMIT @at_most FOR UPDATE SKIP LOCKED))
RETURNING person_id, passes;

-- name: NoteDeletionOf :exec
-- Indexes: person_deletions_pkey, people_pkey, connections_person. Stores the keys that find the person's other
-- rows after the row in people has been deleted.
UPDATE person_deletions d SET email_key = p.email_key,
  connection_ids = ARRAY(SELECT c.id FROM connections c WHERE c.person_id = p.id ORDER BY c.id)
FROM people p WHERE d.person_id = @person_id AND p.id = d.person_id;

-- name: GetDeletion :one
-- Index: person_deletions_pkey.
SELECT due_at, passes, email_key, connection_ids FROM person_deletions WHERE person_id = @person_id;

-- name: EraseConnections :exec
-- Indexes: authorization_codes_unused, token_families_connection, cv_links_connection, connection_reads_pkey.
-- Deletes everything below connections that have ended. Tokens and used codes are deleted together with their
-- families (ON DELETE CASCADE).
WITH codes AS (
  DELETE FROM authorization_codes k WHERE k.connection_id = ANY (@ids::text[]) AND k.used_at IS NULL
), families AS (
  DELETE FROM token_families f WHERE f.connection_id = ANY (@ids::text[])
), reads AS (
  DELETE FROM connection_reads r WHERE r.connection_id = ANY (@ids::text[])
)
DELETE FROM cv_links l WHERE l.connection_id = ANY (@ids::text[]);

-- name: EraseAddress :exec
-- Indexes: mail_outbox_email, sign_ups_email, password_resets_email, invitations_email, mail_budgets_pkey,
-- sign_in_turns_pkey, sign_in_ceilings_pkey. The parameter account is the SHA-256 of the address, and budgets
-- are the keys of the address's email budgets.
WITH mails AS (DELETE FROM mail_outbox m WHERE m.email_key = @email_key),
  joining AS (DELETE FROM sign_ups s WHERE s.email_key = @email_key),
  resets AS (DELETE FROM password_resets r WHERE r.email_key = @email_key),
  invited AS (DELETE FROM invitations i WHERE i.email_key = @email_key),
  budgets AS (DELETE FROM mail_budgets b WHERE b.address = ANY (@budgets::bytea[])),
  turns AS (DELETE FROM sign_in_turns t WHERE t.account = @account)
DELETE FROM sign_in_ceilings c WHERE c.account = @account;

-- name: EraseAuthorship :exec
-- Indexes: accounts_creator, accounts_closed_creator, accounts_email, apps_maker, api_keys_maker,
-- client_secrets_maker, invitations_maker, plan_requests_maker. Objects that the person created in developer
-- accounts stay there, but no longer name the person. The person's open invitations are deleted.
WITH own_accounts AS (
    UPDATE accounts a SET created_by = CASE WHEN a.created_by = @person_id THEN '' ELSE a.created_by END,
      email = CASE WHEN lower(a.email) = @email_key THEN '' ELSE a.email END
    WHERE a.created_by = @person_id AND a.created_by <> '' AND a.closed_at IS NULL
      OR a.created_by = @person_id AND a.created_by <> '' AND a.closed_at IS NOT NULL
      OR lower(a.email) = @email_key),
  own_apps AS (UPDATE apps p SET created_by = '' WHERE p.created_by = @person_id AND p.created_by <> ''),
  own_keys AS (UPDATE api_keys k SET created_by = '' WHERE k.created_by = @person_id AND k.created_by <> ''),
  own_secrets AS (UPDATE client_secrets s SET created_by = '' WHERE s.created_by = @person_id AND s.created_by <> ''),
  own_invitations AS (DELETE FROM invitations i WHERE i.created_by = @person_id AND i.created_by <> '')
UPDATE plan_requests r SET created_by = '' WHERE r.created_by = @person_id AND r.created_by <> '';

-- name: ErasePerson :exec
-- Index: people_pkey. Also deletes everything that refers to the row: sessions, browsers, connections,
-- memberships and console sessions (ON DELETE CASCADE).
DELETE FROM people WHERE id = @id;

-- name: FinishStep :exec
-- Index: person_deletions_pkey. A repeated call changes nothing.
UPDATE person_deletions SET passes = passes + 1, next_at = @next_at WHERE person_id = @person_id AND passes = @passes;

-- name: DropDeletion :exec
-- Index: person_deletions_pkey.
DELETE FROM person_deletions WHERE person_id = @person_id;

-- name: LockPersonToErase :exec
-- Index: people_pkey. Transactions that add rows for the person have to wait, and fail when the person has been
-- deleted.
SELECT id FROM people WHERE id = @id FOR UPDATE;

-- name: LiveConnectionsOf :many
-- Index: connections_live. Includes connections with deleted apps.
SELECT id FROM connections WHERE person_id = @person_id AND ended_at IS NULL ORDER BY id;
