package testkit

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// DryRunsWriteNothing calls every method of the files that takes a dry run, and fails
// the test if a call is refused, if it changes a row of the database at url, or if a
// method has no call in calls. A call is named like its method, without the service,
// and makes a dry run of a request that would succeed.
func DryRunsWriteNothing(t *testing.T, url string, calls map[string]func() error, files ...protoreflect.FileDescriptor) {
	t.Helper()
	methods := dryRuns(files)
	if called := slices.Sorted(maps.Keys(calls)); len(methods) == 0 || !slices.Equal(methods, called) {
		t.Errorf("the contract has dry runs of %q, the test of %q", methods, called)
	}
	for _, method := range methods {
		before := contents(t, url)
		if call, ok := calls[method]; !ok {
			continue
		} else if err := call(); err != nil {
			t.Errorf("%s: %v", method, err)
		}
		after := contents(t, url)
		for _, table := range slices.Sorted(maps.Keys(after)) {
			if before[table] != after[table] {
				t.Errorf("%s: the dry run changed the table %s", method, table)
			}
		}
	}
}

// dryRuns are the sorted names of the methods whose request has the dry_run option.
func dryRuns(files []protoreflect.FileDescriptor) (methods []string) {
	for _, file := range files {
		for i := range file.Services().Len() {
			all := file.Services().Get(i).Methods()
			for j := range all.Len() {
				if takesDryRun(all.Get(j).Input()) {
					methods = append(methods, string(all.Get(j).Name()))
				}
			}
		}
	}
	slices.Sort(methods)
	return methods
}

// takesDryRun also looks into the messages of a stream's oneof.
func takesDryRun(request protoreflect.MessageDescriptor) bool {
	fields := request.Fields()
	for i := range fields.Len() {
		f := fields.Get(i)
		if dry, _ := proto.GetExtension(f.Options(), optionsv1.E_DryRun).(bool); dry {
			return true
		}
		if f.ContainingOneof() != nil && f.Message() != nil && takesDryRun(f.Message()) {
			return true
		}
	}
	return false
}

// contents gives a hash of the rows of every table of a database. An empty table has
// the hash of one that is not there: a service makes partitions ahead at any time.
func contents(t *testing.T, url string) map[string]string {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(t.Context())
	rows, err := conn.Query(t.Context(), "SELECT tablename FROM pg_tables WHERE schemaname = 'public'")
	if err != nil {
		t.Fatal(err)
	}
	tables, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil || len(tables) == 0 {
		t.Fatalf("%d tables: %v", len(tables), err)
	}
	hashes := map[string]string{}
	for _, table := range tables {
		var hash string
		const all = "SELECT coalesce(md5(string_agg(t::text, E'\\n' ORDER BY t::text)), '') FROM %s t"
		if err := conn.QueryRow(t.Context(), fmt.Sprintf(all, quote(table))).Scan(&hash); err != nil {
			t.Fatal(err)
		}
		hashes[table] = hash
	}
	return hashes
}
