-- name: AddAuditEvent :exec
INSERT INTO audit_outbox (id, event) SELECT e ->> 'id', e FROM (SELECT @event::jsonb AS e) added;

-- name: TakeAuditEvents :many
-- Index: audit_outbox_at. A row is locked until the transaction ends, so concurrent replicas take
-- different events. Each event gets the time at which its row was written.
SELECT (event || jsonb_build_object('at', at))::jsonb AS event FROM audit_outbox
WHERE refused_at IS NULL
ORDER BY at, id
LIMIT @at_most
FOR UPDATE SKIP LOCKED;

-- name: SetAuditEventsAside :exec
-- Index: audit_outbox_pkey.
UPDATE audit_outbox SET refused_at = now() WHERE id = ANY (@ids::text[]);

-- name: DeleteAuditEvents :exec
-- Index: audit_outbox_pkey.
DELETE FROM audit_outbox WHERE id = ANY (@ids::text[]);

-- name: ListAuditEventTimes :many
-- Index: audit_outbox_at.
SELECT at FROM audit_outbox WHERE refused_at IS NULL ORDER BY at, id LIMIT @at_most;
