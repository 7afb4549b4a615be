package postgres

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgxpool"
)

// grantsLock is the advisory lock for granting privileges. Without it, two replicas that grant at the
// same time would fail on the same row of the catalog.
const grantsLock = 0x7669746165_02 // "vitae" in ASCII, then 2

// missingGrants returns the statements that make a role's grants match the schema. They grant access
// to the schema's tables, sequences and functions. On append-only tables, they revoke everything
// except reading and inserting rows. The role may read the list of applied migrations, so that a
// replica without the owner's URL can start if none is missing. Partitions are accessed through their
// table and get no grants. Only functions of the owner are granted; functions of extensions are
// available to everyone.
const missingGrants = `
SELECT format('GRANT USAGE ON SCHEMA public TO %I', $1::text) WHERE NOT has_schema_privilege($1::text, 'public', 'USAGE')
UNION ALL
SELECT format('GRANT %s ON TABLE %I TO %I', p, c.relname, $1::text)
FROM pg_class c, unnest(ARRAY['SELECT', 'INSERT', 'UPDATE', 'DELETE']) p
WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p') AND NOT c.relispartition
  AND NOT (p IN ('UPDATE', 'DELETE') AND c.relname = ANY ($2::text[])) AND NOT (p <> 'SELECT' AND c.relname = 'goose_db_version')
  AND NOT has_table_privilege($1::text, c.oid, p)
UNION ALL
SELECT format('REVOKE %s ON TABLE %I FROM %I', p, c.relname, $1::text)
FROM pg_class c, unnest(ARRAY['UPDATE', 'DELETE', 'TRUNCATE']) p
WHERE c.relnamespace = 'public'::regnamespace AND c.relname = ANY ($2::text[]) AND has_table_privilege($1::text, c.oid, p)
UNION ALL
SELECT format('GRANT USAGE ON SEQUENCE %I TO %I', c.relname, $1::text)
FROM pg_class c
WHERE c.relnamespace = 'public'::regnamespace AND CASE WHEN c.relkind = 'S' THEN NOT has_sequence_privilege($1::text, c.oid, 'USAGE') END
UNION ALL
SELECT format('GRANT EXECUTE ON FUNCTION %s TO %I', f.oid::regprocedure, $1::text)
FROM pg_proc f
WHERE f.pronamespace = 'public'::regnamespace AND f.prokind = 'f' AND f.proowner = (SELECT oid FROM pg_roles WHERE rolname = current_user)
  AND NOT has_function_privilege($1::text, f.oid, 'EXECUTE')`

// Migrate applies the migrations. If MigrationURL is set, its role owns the objects, and the role in
// URL is granted the privileges that the service needs. In that case, only the owner can change or
// delete rows of append-only tables.
func (c Config) Migrate(ctx context.Context, migrations fs.FS, appendOnly ...string) error {
	if c.MigrationURL == "" {
		return Migrate(ctx, c.URL, migrations)
	}
	service, err := pgx.ParseConfig(c.URL)
	if err != nil {
		return errors.New("postgres: the URL is invalid")
	}
	if err := Migrate(ctx, c.MigrationURL, migrations); err != nil {
		return err
	}
	conn, err := pgx.Connect(ctx, c.MigrationURL)
	if err != nil {
		return fmt.Errorf("postgres: connect as the owner: %w", err)
	}
	defer conn.Close(context.WithoutCancel(ctx))
	if err := grant(ctx, conn, service.User, appendOnly); err != nil {
		return fmt.Errorf("postgres: grant to %s: %w", service.User, err)
	}
	return nil
}

func grant(ctx context.Context, owner *pgx.Conn, role string, appendOnly []string) error {
	if owner.Config().User == role {
		return errors.New("VITAE_POSTGRES_MIGRATION_URL and VITAE_POSTGRES_URL must have different roles")
	}
	if appendOnly == nil {
		appendOnly = []string{} // because NULL would exclude every table
	}
	return pgx.BeginFunc(ctx, owner, func(tx pgx.Tx) error {
		if _, err := tx.Exec(ctx, "SELECT pg_advisory_xact_lock($1)", int64(grantsLock)); err != nil {
			return err
		}
		rows, err := tx.Query(ctx, missingGrants, role, appendOnly)
		if err != nil {
			return err
		}
		statements, err := pgx.CollectRows(rows, pgx.RowTo[string])
		if err != nil {
			return err
		}
		for _, sql := range statements {
			if _, err := tx.Exec(ctx, sql); err != nil {
				return err
			}
		}
		return nil
	})
}

// IsAppendOnly reports whether the pool's role can neither change nor delete rows of a table, nor
// grant itself the right to do so. It returns false for a superuser and for the owner of the table.
func IsAppendOnly(ctx context.Context, pool *pgxpool.Pool, table string) (bool, error) {
	var only bool
	err := pool.QueryRow(ctx, `
SELECT NOT has_table_privilege(c.oid, 'UPDATE') AND NOT has_table_privilege(c.oid, 'DELETE')
  AND NOT has_table_privilege(c.oid, 'TRUNCATE') AND NOT pg_has_role(c.relowner, 'MEMBER')
FROM pg_class c WHERE c.oid = $1::regclass`, table).Scan(&only)
	return only, err
}
