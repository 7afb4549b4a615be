package postgres_test

import (
	"testing"

	"vitae.internal/pkg/testkit"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// The partnercatalog service stores no personal data, so all its tables are exempt.
func TestEveryColumnIsExportedOrExempt(t *testing.T) {
	t.Parallel()
	testkit.DecidedColumns(t, testkit.Database(t, "partnercatalog", postgres.Migrate), map[string]testkit.Columns{
		"companies":      {Nobodys: "data that an app entered about a company"},
		"company_totals": {Nobodys: "totals of an app"},
		"slug_series":    {Nobodys: "last numbers of slugs"},
		"jobs":           {Nobodys: "data that an app entered about a job"},
		"job_counts":     {Nobodys: "totals of a company"},
		"job_keys":       {Nobodys: "idempotency keys of an app"},
		"audit_outbox":   {Nobodys: "events of apps and internal teams, moved to the audit log within seconds"},
	})
}
