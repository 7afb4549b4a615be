-- name: AddInvitation :exec
INSERT INTO invitations (id, account_id, email, email_key, role, hash, created_by, created_at, expires_at)
VALUES (@id, @account_id, @email, @email_key, @role, @hash, @created_by, @created_at, @expires_at);

-- name: ReplaceInvitation :exec
-- Index: invitations_email. Deletes the previous invitation to the same email address, which a new one replaces.
DELETE FROM invitations WHERE account_id = @account_id AND email_key = @email_key;

-- name: CountInvitations :one
-- Index: invitations_account.
SELECT count(*) FROM invitations WHERE account_id = @account_id AND expires_at > @at;

-- name: ListInvitations :many
-- Index: invitations_account.
SELECT sqlc.embed(invitations) FROM invitations
WHERE account_id = @account_id AND expires_at > @at
ORDER BY created_at DESC, id DESC;

-- name: DeleteInvitation :one
-- Index: invitations_pkey.
DELETE FROM invitations WHERE id = @id AND expires_at > @at RETURNING account_id;

-- name: InvitationByHash :one
-- Indexes: invitations_hash, accounts_pkey.
SELECT sqlc.embed(invitations), a.name AS account_name, (a.suspended_at IS NOT NULL)::boolean AS suspended
FROM invitations JOIN accounts a ON a.id = invitations.account_id AND a.closed_at IS NULL
WHERE invitations.hash = @hash AND invitations.expires_at > @at;

-- name: EndInvitationsOf :exec
-- Index: invitations_account. Deletes the invitations that a person has created for one of the given roles.
DELETE FROM invitations WHERE account_id = @account_id AND created_by = @person_id AND role = ANY (@roles::text[]);

-- name: MayInvite :one
-- Indexes: people_pkey, members_pkey. Returns true if the creator of an invitation is an owner of the account,
-- or is not a person but a service.
SELECT (NOT EXISTS (SELECT FROM people p WHERE p.id = @made_by)
  OR EXISTS (SELECT FROM members m WHERE m.account_id = @account_id AND m.person_id = @made_by AND m.role = 'owner'))::boolean;

-- name: DeleteAccountInvitations :exec
-- Index: invitations_account.
DELETE FROM invitations WHERE account_id = @account_id;

-- name: IsMemberByEmail :one
-- Indexes: people_email_key, members_pkey.
SELECT EXISTS (SELECT 1 FROM people p JOIN members m ON m.person_id = p.id AND m.account_id = @account_id WHERE p.email_key = @email_key);
