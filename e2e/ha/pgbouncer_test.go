package ha_test

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgtype"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/pkg/backing"
	"vitae.internal/pkg/backing/backingtest"
	"vitae.internal/pkg/testkit"
)

// throughPooler lists the test packages to run on a system behind PgBouncer: sign-in and consent,
// tokens and their revocation, a partner's companies and jobs, and the legacy interface.
var throughPooler = []string{"./signin", "./tokens", "./partnerapi", "./legacy"}

func TestSystemWorksBehindPgBouncer(t *testing.T) {
	pg := expect.Must(backing.StartPostgres(t.Context(), backing.PostgresOptions{Dir: newPlace(t), Throwaway: true}))(t)
	t.Cleanup(pg.Kill)
	pooler := expect.Must(backingtest.StartPgBouncer(t.Context(), newPlace(t), pg.URL("postgres")))(t)
	t.Cleanup(pooler.Kill)
	s := start(t, "VITAE_POSTGRES_URL="+pooler.URL("postgres"), "VITAE_POSTGRES_MIGRATION_URL="+pg.URL("postgres"), "VITAE_POSTGRES_POOLED=true")

	cmd := exec.CommandContext(t.Context(), "go", append([]string{"test", "-count=1"}, throughPooler...)...)
	cmd.Dir = filepath.Join(expect.Must(testkit.Root())(t), "e2e")
	cmd.Env = append(os.Environ(),
		"E2E_BASE_URL="+strings.Join(s.BaseURLs, ","), "E2E_APP_URL="+strings.Join(s.AppURLs, ","),
		"E2E_LEGACY_URL="+strings.Join(s.LegacyURLs, ","), "E2E_CONSOLE_URL="+strings.Join(s.ConsoleURLs, ","), "E2E_DATA_DIR="+s.Dir())
	out, err := cmd.CombinedOutput()
	t.Logf("%s", out)
	if err != nil {
		t.Error(err)
	}
	checkPooler(t, pooler)
}

// checkPooler asserts that every service has used the pooler, according to the pooler's statistics.
func checkPooler(t *testing.T, pooler *backingtest.PgBouncer) {
	t.Helper()
	admin := expect.Must(pgx.Connect(t.Context(), pooler.URL("pgbouncer")+"&default_query_exec_mode=simple_protocol"))(t)
	defer admin.Close(context.WithoutCancel(t.Context()))
	rows := expect.Must(admin.Query(t.Context(), "SHOW STATS_TOTALS"))(t)
	transactions := map[string]int64{}
	for _, one := range expect.Must(pgx.CollectRows(rows, pgx.RowToMap))(t) {
		n, _ := one["xact_count"].(pgtype.Numeric)
		count := expect.Must(n.Int64Value())(t)
		transactions[fmt.Sprint(one["database"])] = count.Int64
	}
	t.Logf("transactions through PgBouncer: %v", transactions)
	for _, database := range []string{"vitae_auth", "vitae_candidate", "vitae_partnercatalog"} {
		if n := transactions[database]; n < 100 {
			t.Errorf("%d transactions of %s went through PgBouncer", n, database)
		}
	}
}
