package testkit

import (
	"fmt"
	"maps"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/pkg/grpcserver"
)

// DryRunsWriteNothing calls every method of a proto package that supports dry runs. It fails the
// test if a call fails, if a call changes a row in the database at url, or if a method is missing
// from calls. The keys of calls are full method names, such as
// authv1.PeopleService_CreatePerson_FullMethodName. Each call must make a dry run of a request that
// would succeed.
func DryRunsWriteNothing(t *testing.T, url string, contract protoreflect.FullName, calls map[string]func() error) {
	t.Helper()
	methods := dryRuns(contract)
	if called := slices.Sorted(maps.Keys(calls)); len(methods) == 0 || !slices.Equal(methods, called) {
		t.Errorf("the methods %q support dry runs, but the test calls %q", methods, called)
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

// dryRuns returns the sorted full names of all methods in a proto package that support dry runs.
func dryRuns(contract protoreflect.FullName) (methods []string) {
	protoregistry.GlobalFiles.RangeFilesByPackage(contract, func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			service := file.Services().Get(i)
			for j := range service.Methods().Len() {
				if m := service.Methods().Get(j); len(grpcserver.DryRunFields(m.Input())) > 0 {
					methods = append(methods, fmt.Sprintf("/%s/%s", service.FullName(), m.Name()))
				}
			}
		}
		return true
	})
	slices.Sort(methods)
	return methods
}

// contents returns a hash of the rows of every table in a database. An empty table has the same
// hash as a missing table, because a service may create partitions at any time.
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
