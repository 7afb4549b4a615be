-- name: AddAuditEvent :exec
INSERT INTO audit_outbox (id, event) VALUES (@id, @event);

-- name: PendingAuditEvents :many
-- Index: audit_outbox_at.
SELECT event, at FROM audit_outbox ORDER BY at, id LIMIT @at_most;

-- name: DeleteAuditEvents :exec
-- Index: audit_outbox_pkey.
DELETE FROM audit_outbox WHERE id = ANY (@ids::text[]);
