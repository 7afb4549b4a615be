-- name: LockOpenAccount :one
-- Index: accounts_pkey. Every transaction that changes a team or closes an account takes this lock.
SELECT sqlc.embed(accounts) FROM accounts WHERE id = @id AND closed_at IS NULL FOR NO KEY UPDATE;

-- name: ShareOpenAccount :one
-- Index: accounts_pkey. Prevents the account from being closed until the commit.
SELECT id FROM accounts WHERE id = @id AND closed_at IS NULL FOR SHARE;

-- name: MemberOfAccount :one
-- Indexes: accounts_pkey, members_pkey.
SELECT a.id AS account_id, (a.suspended_at IS NOT NULL)::boolean AS suspended, m.role
FROM accounts a JOIN members m ON m.account_id = a.id AND m.person_id = @person_id
WHERE a.id = @id AND a.closed_at IS NULL;

-- name: MemberOfApp :one
-- Indexes: apps_pkey, accounts_pkey, members_pkey.
SELECT a.id AS account_id, (a.suspended_at IS NOT NULL)::boolean AS suspended, m.role
FROM apps p JOIN accounts a ON a.id = p.account_id AND a.closed_at IS NULL
JOIN members m ON m.account_id = a.id AND m.person_id = @person_id
WHERE p.id = @id;

-- name: MemberOfApiKey :one
-- Indexes: api_keys_pkey, apps_pkey, accounts_pkey, members_pkey.
SELECT a.id AS account_id, (a.suspended_at IS NOT NULL)::boolean AS suspended, m.role
FROM api_keys k JOIN apps p ON p.id = k.app_id
JOIN accounts a ON a.id = p.account_id AND a.closed_at IS NULL
JOIN members m ON m.account_id = a.id AND m.person_id = @person_id
WHERE k.id = @id;

-- name: MemberOfClientSecret :one
-- Indexes: client_secrets_pkey, apps_pkey, accounts_pkey, members_pkey.
SELECT a.id AS account_id, (a.suspended_at IS NOT NULL)::boolean AS suspended, m.role
FROM client_secrets s JOIN apps p ON p.id = s.app_id
JOIN accounts a ON a.id = p.account_id AND a.closed_at IS NULL
JOIN members m ON m.account_id = a.id AND m.person_id = @person_id
WHERE s.id = @id;

-- name: MemberOfInvitation :one
-- Indexes: invitations_pkey, accounts_pkey, members_pkey.
SELECT a.id AS account_id, (a.suspended_at IS NOT NULL)::boolean AS suspended, m.role
FROM invitations i JOIN accounts a ON a.id = i.account_id AND a.closed_at IS NULL
JOIN members m ON m.account_id = a.id AND m.person_id = @person_id
WHERE i.id = @id;

-- name: ListMembers :many
-- Indexes: members_pkey, people_pkey, console_names_person. If a member's connection with the console has ended,
-- the name has been deleted.
SELECT sqlc.embed(m), p.email, coalesce((SELECT n.name FROM console_names n WHERE n.person_id = m.person_id LIMIT 1), '')::text AS name
FROM members m JOIN people p ON p.id = m.person_id
WHERE m.account_id = @account_id
ORDER BY CASE m.role WHEN 'owner' THEN 0 WHEN 'developer' THEN 1 ELSE 2 END, p.email_key, m.person_id;

-- name: GetMember :one
-- Indexes: members_pkey, people_pkey, console_names_person.
SELECT sqlc.embed(m), p.email, coalesce((SELECT n.name FROM console_names n WHERE n.person_id = m.person_id LIMIT 1), '')::text AS name
FROM members m JOIN people p ON p.id = m.person_id
WHERE m.account_id = @account_id AND m.person_id = @person_id;

-- name: AddMember :execrows
INSERT INTO members (account_id, person_id, role, created_at) VALUES (@account_id, @person_id, @role, @created_at)
ON CONFLICT (account_id, person_id) DO NOTHING;

-- name: SetMemberRole :exec
-- Index: members_pkey.
UPDATE members SET role = @role WHERE account_id = @account_id AND person_id = @person_id;

-- name: RemoveMember :exec
-- Index: members_pkey.
DELETE FROM members WHERE account_id = @account_id AND person_id = @person_id;

-- name: RemoveMembers :exec
-- Index: members_pkey.
DELETE FROM members WHERE account_id = @account_id;

-- name: CountOwners :one
-- Indexes: members_pkey, person_deletions_pkey. Ignores other owners whose accounts are about to be deleted.
SELECT count(*) FROM members m WHERE m.account_id = @account_id AND m.role = 'owner'
  AND (m.person_id = @person_id OR NOT EXISTS (SELECT FROM person_deletions d WHERE d.person_id = m.person_id));

-- name: ListMemberships :many
-- Indexes: members_person, accounts_pkey.
SELECT sqlc.embed(accounts), m.role FROM members m JOIN accounts ON accounts.id = m.account_id
WHERE m.person_id = @person_id AND accounts.closed_at IS NULL
ORDER BY lower(accounts.name) COLLATE "C", accounts.id;
