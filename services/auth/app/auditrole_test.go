package app_test

import (
	"context"
	"errors"
	"slices"
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// connectAs opens a connection as the role named in a URL.
func connectAs(t *testing.T, url string) *pgx.Conn {
	t.Helper()
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close(context.Background()) })
	return conn
}

// refused fails the test unless a statement fails because the role lacks the privilege.
func refused(t *testing.T, conn *pgx.Conn, sql string) {
	t.Helper()
	_, err := conn.Exec(t.Context(), sql, pgx.QueryExecModeSimpleProtocol)
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != "42501" { // insufficient_privilege
		t.Errorf("%s: %v", sql, err)
	}
}

func (w *world) auditPartitions() []string {
	w.Helper()
	rows, err := w.db.Query(w.Context(), `SELECT c.relname::text FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
		WHERE i.inhparent = 'audit_events'::regclass ORDER BY 1`)
	w.must(err)
	names, err := pgx.CollectRows(rows, pgx.RowTo[string])
	w.must(err)
	return names
}

// An attacker who takes over the service gains its Postgres role. That role must not be able to hide events.
func TestServiceRoleOnlyAddsAuditEvents(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("a@example.com")
	service := connectAs(t, w.cfg.Postgres.URL)
	partition := w.auditPartitions()[1] // the partition of this week
	for _, sql := range []string{
		"UPDATE audit_events SET actor_id = 'somebody else'",
		"DELETE FROM audit_events",
		"TRUNCATE audit_events",
		"DROP TABLE audit_events",
		"ALTER TABLE audit_events DISABLE TRIGGER ALL",
		"ALTER TABLE audit_events ADD COLUMN more text",
		"ALTER TABLE audit_events DETACH PARTITION " + partition,
		"ALTER TABLE audit_events OWNER TO CURRENT_USER",
		"DROP TRIGGER audit_events_fixed ON audit_events",
		"CREATE OR REPLACE FUNCTION refuse_audit_change() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RETURN OLD; END $$",
		"CREATE OR REPLACE FUNCTION public.now() RETURNS timestamptz LANGUAGE sql AS $$ SELECT timestamptz '2099-01-01' $$",
		"SELECT * FROM " + partition,
		"UPDATE " + partition + " SET actor_id = ''",
		"DELETE FROM " + partition,
		"TRUNCATE " + partition,
		"DROP TABLE " + partition,
		"INSERT INTO audit_events SELECT * FROM audit_events ON CONFLICT (at, id) DO UPDATE SET actor_id = ''",
		"MERGE INTO audit_events a USING audit_events b ON a.id = b.id WHEN MATCHED THEN DELETE",
		"SET session_replication_role = replica",
	} {
		refused(t, service, sql)
	}
	var events int
	w.must(service.QueryRow(t.Context(), "SELECT count(*) FROM audit_events").Scan(&events))
	if events == 0 {
		t.Error("there are no events")
	}
	if only, err := w.storesAs(w.cfg.Postgres.URL).Audit.IsAppendOnly(t.Context()); err != nil || !only {
		t.Errorf("IsAppendOnly returned %t, %v", only, err)
	}
}

// The triggers also prevent mistakes by people who connect as the tables' owner.
func TestOwnerCannotChangeAuditLogByMistake(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("a@example.com")
	owner := connectAs(t, w.ownerURL)
	partition := w.auditPartitions()[1]
	for _, sql := range []string{
		"UPDATE audit_events SET actor_id = 'somebody else'", "DELETE FROM audit_events", "TRUNCATE audit_events",
		"UPDATE " + partition + " SET actor_id = ''", "DELETE FROM " + partition, "TRUNCATE " + partition,
	} {
		refused(t, owner, sql)
	}
	if only, err := w.storesAs(w.ownerURL).Audit.IsAppendOnly(t.Context()); err != nil || only {
		t.Errorf("with the owner's role, IsAppendOnly returned %t, %v", only, err)
	}
}

// The request log is protected too: the role can add rows, but the function that drops partitions keeps all
// partitions that are less than 30 days old.
func TestServiceRoleCannotDropYoungRequests(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	service := connectAs(t, w.cfg.Postgres.URL)
	days := func(tx pgx.Tx) (days []int) {
		rows, err := tx.Query(t.Context(), `SELECT date(now()) - to_date(right(c.relname, 8), 'YYYYMMDD') FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid
			WHERE i.inhparent = 'request_log'::regclass AND to_date(right(c.relname, 8), 'YYYYMMDD') BETWEEN date(now()) - 33 AND date(now()) ORDER BY 1`)
		w.must(err)
		days, err = pgx.CollectRows(rows, pgx.RowTo[int])
		w.must(err)
		return days
	}
	// All statements run in one transaction, whose now() stays on the same day.
	w.must(pgx.BeginFunc(t.Context(), service, func(tx pgx.Tx) error {
		for _, ago := range []int{0, 29, 30, 31, 32} {
			_, err := tx.Exec(t.Context(), "SELECT make_request_log_partition(date(now()) - $1::integer)", ago)
			w.must(err)
		}
		for dropped := true; dropped; {
			w.must(tx.QueryRow(t.Context(), "SELECT drop_request_log_partition('infinity')").Scan(&dropped))
		}
		if got := days(tx); !slices.Equal(got, []int{0, 29, 30}) {
			t.Errorf("the remaining partitions are %v days old", got)
		}
		return nil
	}))
	young := w.partitions()[0]
	for _, sql := range []string{
		"UPDATE request_log SET account_id = ''", "DELETE FROM request_log", "TRUNCATE request_log", "DROP TABLE request_log",
		"ALTER TABLE request_log DETACH PARTITION " + young, "DELETE FROM " + young, "DROP TABLE " + young,
	} {
		refused(t, service, sql)
	}
}
