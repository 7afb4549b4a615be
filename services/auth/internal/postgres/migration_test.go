package postgres_test

import (
	"context"
	"os"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/credential"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/postgres"
)

// databaseBefore is a database with the migrations before the one of the number.
func databaseBefore(t *testing.T, number string) string {
	t.Helper()
	return testkit.Database(t, "auth before "+number, func(ctx context.Context, url string) error {
		entries, err := os.ReadDir("migrations")
		if err != nil {
			return err
		}
		earlier := fstest.MapFS{}
		for _, e := range entries {
			if e.Name() < number {
				raw, err := os.ReadFile("migrations/" + e.Name())
				if err != nil {
					return err
				}
				earlier[e.Name()] = &fstest.MapFile{Data: raw}
			}
		}
		return pkgpostgres.Migrate(ctx, url, earlier)
	})
}

func TestSecretsFromBeforeTheyWereListedGoOnWorking(t *testing.T) {
	t.Parallel()
	url := databaseBefore(t, "00012")
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	given := client.Credentials{ID: credential.New(credential.ClientID), Secret: credential.New(credential.ClientSecret)}
	public := client.Credentials{ID: credential.New(credential.ClientID)}
	hash, made := credential.Hash(given.Secret), time.Date(2025, 5, 1, 9, 0, 0, 0, time.UTC)
	for _, insert := range []struct {
		sql  string
		args []any
	}{
		{"INSERT INTO accounts (id, name, email, plan, created_at) VALUES ('dev_1', 'n', 'e', 'standard', $1)", []any{made}},
		{"INSERT INTO apps VALUES ('app_1', 'dev_1', 'n', '', $1, 'confidential', $2, '{}', '{profile}', false, $3)", []any{given.ID, hash[:], made}},
		{"INSERT INTO apps VALUES ('app_2', 'dev_1', 'n', '', $1, 'public', NULL, '{}', '{profile}', false, $2)", []any{public.ID, made}},
	} {
		if _, err := conn.Exec(t.Context(), insert.sql, insert.args...); err != nil {
			t.Fatal(err)
		}
	}
	if err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: url, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	store, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []client.Credentials{given, public} {
		if _, err := client.Authenticate(t.Context(), store, c, time.Now()); err != nil {
			t.Error(err)
		}
	}
	secrets, err := store.ClientSecrets(t.Context(), "app_1", time.Now())
	if err != nil || len(secrets) != 1 || !secrets[0].CreatedAt.Equal(made) || secrets[0].CreatedBy != "" || secrets[0].ExpiresAt != nil {
		t.Errorf("secrets %v, %v", secrets, err)
	}
}
