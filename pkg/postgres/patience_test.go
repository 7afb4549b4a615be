package postgres

import (
	"net"
	"testing"
	"testing/fstest"
	"time"
)

// A database that accepts connections but never responds must not prevent a service from stopping.
// All first calls have the same timeout.
func TestUnresponsiveDatabaseTimesOut(t *testing.T) {
	silent, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer silent.Close()
	patience = 100 * time.Millisecond
	t.Cleanup(func() { patience = defaultPatience })
	url := "postgres://vitae@" + silent.Addr().String() + "/vitae?sslmode=disable"
	migrations := fstest.MapFS{"0001_first.sql": {Data: []byte("-- +goose Up\nSELECT 1;\n")}}
	if err := Migrate(t.Context(), url, migrations); err == nil {
		t.Error("Migrate succeeded")
	}
	if _, err := Open(t.Context(), Config{URL: url, MaxConns: 1}); err == nil {
		t.Error("Open succeeded")
	}
}
