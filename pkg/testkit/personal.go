package testkit

import (
	"context"
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/jackc/pgx/v5"
)

// Columns lists the columns of a table that the export of a person's data contains
// (behaviour: account-data#what-an-export-holds).
type Columns struct {
	// Nobodys is the reason why no row relates to a person, or "" for a table about people. If it
	// is set, the other fields are empty.
	Nobodys string
	// Exported lists the columns in the export, separated by spaces.
	Exported string
	// Left maps other columns, separated by spaces, to the reason why the export omits them.
	Left map[string]string
}

// DecidedColumns fails the test for every column in the database at url that is missing from
// decided, whose keys are table names. It also fails for every column in decided that does not
// exist. Partitions count as their parent table.
func DecidedColumns(t *testing.T, url string, decided map[string]Columns) {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.WithoutCancel(t.Context()))
	rows, err := conn.Query(t.Context(), `SELECT c.relname, array_agg(a.attname::text ORDER BY a.attname)
		FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped
		WHERE c.relkind IN ('r', 'p') AND NOT c.relispartition AND c.relnamespace = 'public'::regnamespace AND c.relname <> 'goose_db_version'
		GROUP BY c.relname`)
	if err != nil {
		t.Fatal(err)
	}
	there := map[string][]string{}
	var table string
	var columns []string
	if _, err := pgx.ForEachRow(rows, []any{&table, &columns}, func() error {
		there[table] = slices.Clone(columns)
		return nil
	}); err != nil {
		t.Fatal(err)
	}
	for _, table := range slices.Sorted(maps.Keys(there)) {
		one, ok := decided[table]
		if !ok {
			t.Errorf("decide whether an export contains the table %s (%s)", table, strings.Join(there[table], " "))
			continue
		}
		if one.Nobodys == "" {
			one.check(t, table, there[table])
		}
	}
	for table := range decided {
		if there[table] == nil {
			t.Errorf("there is no table %s", table)
		}
	}
}

func (c Columns) check(t *testing.T, table string, there []string) {
	t.Helper()
	named := strings.Fields(c.Exported)
	for columns, why := range c.Left {
		if named = append(named, strings.Fields(columns)...); why == "" {
			t.Errorf("%s: no reason for omitting %s", table, columns)
		}
	}
	for _, column := range there {
		if !slices.Contains(named, column) {
			t.Errorf("decide whether an export contains %s.%s", table, column)
		}
	}
	for _, column := range named {
		if !slices.Contains(there, column) {
			t.Errorf("there is no column %s.%s", table, column)
		}
	}
}
