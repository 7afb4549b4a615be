package sizes

import (
	"context"
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
)

// enough is how many rows of a kind are measured, or some more.
const enough = 10_000

// helpers make what is unique in a copy. An id is as long as one of package id, and comes
// after those of earlier copies. Postgres looks a function of pg_temp up by its full name.
const helpers = `
CREATE FUNCTION pg_temp.other(id text, copy integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN id = '' THEN '' ELSE split_part(id, '_', 1) || '_v' || lpad(copy::text, 9, '0') || left(md5(id || copy), 16) END $$;
CREATE FUNCTION pg_temp.hashed(hash bytea, copy integer) RETURNS bytea LANGUAGE sql IMMUTABLE AS $$
  SELECT sha256(hash || int4send(copy)) $$;
CREATE FUNCTION pg_temp.renamed(name text, copy integer) RETURNS text LANGUAGE sql IMMUTABLE AS $$
  SELECT CASE WHEN name = '' THEN '' ELSE left(md5(name || copy), 12) || substr(name, 13) END $$;`

// copied is a table whose rows are copied.
type copied struct {
	table string
	// fresh says which columns of a copy differ, as expressions of the row (t) and the number
	// of the copy (copy). Columns that Postgres makes itself are left to it.
	fresh map[string]string
	// like is a table that is copied as often; the table itself is copied until there is enough
	// of it, unless like is set. What a row refers to must be copied as often at least.
	like string
	// from is what is copied; the rows of the table, unless it is set.
	from string
}

func other(columns ...string) map[string]string {
	fresh := map[string]string{}
	for _, c := range columns {
		fresh[c] = "pg_temp.other(t." + c + ", copy)"
	}
	return fresh
}

// and sets expressions beside those of other.
func and(fresh map[string]string, more map[string]string) map[string]string {
	for column, expression := range more {
		fresh[column] = expression
	}
	return fresh
}

const hash = "pg_temp.hashed(t.hash, copy)"

// tables are what is copied, by database, in an order in which every row finds what it refers
// to.
var tables = map[string][]copied{
	"auth": {
		{table: "people", like: "connections", fresh: and(other("id"), map[string]string{
			"email": "pg_temp.renamed(t.email, copy)", "email_key": "pg_temp.renamed(t.email_key, copy)",
		})},
		{table: "devices", like: "connections", fresh: and(other("person_id"), map[string]string{"hash": hash})},
		{table: "connections", fresh: other("id", "person_id")},
		{table: "cv_links", like: "connections", fresh: and(other("id", "connection_id"), map[string]string{"hash": hash})},
		{table: "token_families", like: "connections", fresh: and(other("id", "connection_id"), map[string]string{
			"refresh_hash": "pg_temp.hashed(t.refresh_hash, copy)",
		})},
		{table: "authorization_codes", like: "connections", fresh: and(other("connection_id", "family_id"), map[string]string{"hash": hash})},
		{table: "access_tokens", like: "connections", fresh: and(other("family_id", "connection_id"), map[string]string{"hash": hash})},
		{table: "rotated_refresh_tokens", like: "connections", fresh: and(other("family_id"), map[string]string{"hash": hash})},
		{table: "audit_events", fresh: and(other("id", "person_id", "object_id"), map[string]string{
			"at": "t.at + copy * interval '1 millisecond'",
		})},
		{table: "request_log", fresh: and(other("request_id"), map[string]string{
			"at": "t.at + copy * interval '1 millisecond'", "account_id": "pg_temp.other(t.account_id, copy % 100)",
			"resource_id": "pg_temp.other(t.resource_id, copy)",
		})},
	},
	"candidate": {
		{table: "profiles", fresh: and(other("person_id"), map[string]string{
			"email": "pg_temp.renamed(t.email, copy)", "username": "pg_temp.renamed(t.username, copy)",
		})},
		{table: "photos", like: "profiles", fresh: other("person_id")},
		{table: "cvs", like: "profiles", fresh: other("id", "person_id")},
		{table: "applications", fresh: other("id", "job_id", "person_id")},
		{table: "submissions", like: "applications", fresh: other("application_id")},
		{table: "job_numbers", like: "applications", fresh: other("job_id")},
		{table: "application_search", like: "applications", fresh: map[string]string{
			"application": "a.number", "job": "j.number", "search_text": "pg_temp.renamed(t.search_text, copy)", // trigrams of its own
		}, from: `
			application_search t CROSS JOIN generate_series(1, $1::integer) AS copy
			JOIN applications o ON o.number = t.application JOIN job_numbers p ON p.number = t.job
			JOIN applications a ON a.id = pg_temp.other(o.id, copy) JOIN job_numbers j ON j.job_id = pg_temp.other(p.job_id, copy)`},
		{table: "application_totals", like: "applications", fresh: other("job_id")},
		{table: "application_counts", like: "applications", fresh: other("job_id")},
		{table: "resumes", like: "applications", fresh: other("id", "person_id", "application_id")},
	},
	"partnercatalog": {
		{table: "companies", fresh: and(other("id"), map[string]string{
			"slug": "pg_temp.renamed(t.slug, copy)", "external_id": "pg_temp.renamed(t.external_id, copy)",
		})},
		{table: "jobs", fresh: other("id", "company_id")},
	},
}

// copyAll copies the rows of a database until there are enough, and has Postgres tidy up as
// it would in time.
func copyAll(t testing.TB, db *pgx.Conn, database string) error {
	t.Helper()
	ctx := t.Context()
	if _, err := db.Exec(ctx, helpers); err != nil {
		return err
	}
	times := map[string]int{}
	for _, c := range tables[database] {
		rows, err := rowsOf(ctx, db, c.table)
		if err != nil {
			return err
		}
		times[c.table] = int(math.Ceil(enough / rows))
	}
	for _, c := range tables[database] {
		like := c.like
		if like == "" {
			like = c.table
		}
		start := time.Now()
		if err := c.run(ctx, db, times[like]); err != nil {
			return fmt.Errorf("copy %s: %w", c.table, err)
		}
		t.Logf("%s: %d times, in %v", c.table, times[like], time.Since(start).Round(time.Millisecond))
	}
	_, err := db.Exec(ctx, "VACUUM (ANALYZE)")
	return err
}

func (c copied) run(ctx context.Context, db *pgx.Conn, times int) error {
	rows, err := db.Query(ctx, `SELECT column_name FROM information_schema.columns
		WHERE table_schema = 'public' AND table_name = $1 AND is_identity = 'NO' AND is_generated = 'NEVER'`, c.table)
	if err != nil {
		return err
	}
	columns, err := pgx.CollectRows(rows, pgx.RowTo[string])
	if err != nil {
		return err
	}
	var values []string
	for _, column := range columns {
		value, fresh := c.fresh[column]
		if !fresh {
			value = "t." + column
		}
		values = append(values, value)
	}
	from := c.from
	if from == "" {
		from = c.table + " t CROSS JOIN generate_series(1, $1::integer) AS copy"
	}
	_, err = db.Exec(ctx, fmt.Sprintf("INSERT INTO %s (%s) SELECT %s FROM %s ORDER BY copy",
		c.table, strings.Join(columns, ", "), strings.Join(values, ", "), from), times)
	return err
}
