package postgres_test

import (
	"testing"

	"vitae.internal/pkg/testkit"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// partnercatalog holds companies and jobs, and nobody's data but theirs.
func TestEveryColumnIsInAnExportOrHasAReason(t *testing.T) {
	t.Parallel()
	testkit.DecidedColumns(t, testkit.Database(t, "partnercatalog", postgres.Migrate), map[string]testkit.Columns{
		"companies":      {Nobodys: "what an app writes of a company"},
		"company_totals": {Nobodys: "sums of an app"},
		"slug_series":    {Nobodys: "numbers of slugs"},
		"jobs":           {Nobodys: "what an app writes of a job"},
		"job_counts":     {Nobodys: "sums of a company"},
		"job_keys":       {Nobodys: "keys of calls of an app"},
		"audit_outbox":   {Nobodys: "events of apps and of internal teams, which become those of the audit log within seconds"},
	})
}
