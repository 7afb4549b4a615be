-- name: AddAuditEvent :exec
INSERT INTO audit_outbox (id, event) VALUES (@id, @event);

-- name: PendingAuditEvents :many
-- Index: audit_outbox_at. An event happened when it was written.
SELECT (event || jsonb_build_object('at', at))::jsonb AS event FROM audit_outbox
WHERE refused_at IS NULL
ORDER BY at, id
LIMIT @at_most;

-- name: SetAuditEventAside :exec
-- Index: audit_outbox_pkey.
UPDATE audit_outbox SET refused_at = now() WHERE id = @id;

-- name: DeleteAuditEvents :exec
-- Index: audit_outbox_pkey.
DELETE FROM audit_outbox WHERE id = ANY (@ids::text[]);
