package sizes

import (
	"context"
	"fmt"

	"github.com/jackc/pgx/v5"

	"vitae.internal/e2e/capacity"
)

// kind is a kind of row: the table whose rows count, and the tables that hold something of
// each.
type kind struct {
	database, counted string
	tables            []string
}

var kinds = map[string]kind{
	capacity.Person:       {"auth", "people", []string{"people", "devices"}},
	capacity.Connection:   {"auth", "connections", []string{"connections", "cv_links", "token_families", "authorization_codes"}},
	capacity.AccessToken:  {"auth", "access_tokens", []string{"access_tokens"}},
	capacity.RotatedToken: {"auth", "rotated_refresh_tokens", []string{"rotated_refresh_tokens"}},
	capacity.AuditEvent:   {"auth", "audit_events", []string{"audit_events"}},
	capacity.LoggedCall:   {"auth", "request_log", []string{"request_log"}},
	capacity.Profile:      {"candidate", "profiles", []string{"profiles"}},
	capacity.FurtherCV:    {"candidate", "cvs", []string{"cvs"}},
	capacity.Photo:        {"candidate", "photos", []string{"photos"}},
	capacity.Application: {"candidate", "applications", []string{
		"applications", "submissions", "application_search", "job_numbers", "application_totals", "application_counts",
	}},
	capacity.Resume:  {"candidate", "resumes", []string{"resumes"}},
	capacity.Company: {"partnercatalog", "companies", []string{"companies"}},
	capacity.Job:     {"partnercatalog", "jobs", []string{"jobs", "job_counts"}},
}

// measureTables gives the size of each kind of row of a database. What a kind has in several
// tables is added up by the rows of each, so a person has one browser that is known.
func measureTables(ctx context.Context, db *pgx.Conn, database string) (map[string]capacity.Row, error) {
	sizes := map[string]capacity.Row{}
	for name, k := range kinds {
		if k.database != database {
			continue
		}
		row := capacity.Row{Database: database}
		for _, table := range k.tables {
			t, err := measureTable(ctx, db, table)
			if err != nil {
				return nil, err
			}
			count := t.rows
			if !ownCount[table] {
				if count, err = rowsOf(ctx, db, k.counted); err != nil {
					return nil, err
				}
			}
			if table == k.counted && count < enough/5 {
				return nil, fmt.Errorf("%s has %.0f rows, too few to measure", table, count)
			}
			row.Table += t.table / count
			row.Indexes += t.indexes / count
		}
		sizes[name] = row
	}
	return sizes, nil
}

// ownCount are the tables of which a thing has one row, whether or not each thing of the demo
// world has it: what they hold is divided by their own rows. That of the others is divided
// by the rows of the kind.
var ownCount = map[string]bool{
	"people": true, "devices": true, "connections": true, "cv_links": true, "token_families": true, "authorization_codes": true,
	"access_tokens": true, "rotated_refresh_tokens": true, "audit_events": true, "request_log": true,
	"profiles": true, "cvs": true, "photos": true, "applications": true, "resumes": true, "companies": true, "jobs": true,
}

type size struct{ rows, table, indexes float64 }

// measureTable measures a table with all of its partitions.
func measureTable(ctx context.Context, db *pgx.Conn, table string) (size, error) {
	var s size
	err := db.QueryRow(ctx, `SELECT coalesce(sum(pg_table_size(relid)), 0)::float8, coalesce(sum(pg_indexes_size(relid)), 0)::float8
		FROM (SELECT $1::regclass AS relid UNION SELECT inhrelid FROM pg_inherits WHERE inhparent = $1::regclass) parts
		WHERE pg_relation_size(relid) > 0`, table).Scan(&s.table, &s.indexes)
	if err != nil {
		return size{}, fmt.Errorf("size of %s: %w", table, err)
	}
	if s.table == 0 {
		return size{}, fmt.Errorf("%s takes no room", table)
	}
	s.rows, err = rowsOf(ctx, db, table)
	return s, err
}

func rowsOf(ctx context.Context, db *pgx.Conn, table string) (rows float64, err error) {
	err = db.QueryRow(ctx, "SELECT count(*)::float8 FROM "+pgx.Identifier{table}.Sanitize()).Scan(&rows)
	if err == nil && rows == 0 {
		err = fmt.Errorf("%s has no rows", table)
	}
	return rows, err
}
