package postgres_test

import (
	"testing"

	"vitae.internal/pkg/audit/outbox/outboxtest"
)

func TestAuditOutboxMeetsContract(t *testing.T) {
	t.Parallel()
	store, pool := open(t)
	outboxtest.Run(t, pool, store.Audit)
}
