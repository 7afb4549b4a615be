package postgres_test

import (
	"testing"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

func TestMain(m *testing.M) { testkit.Main(m) }

var start = time.Date(2026, 1, 2, 3, 4, 5, int(678*time.Millisecond), time.UTC)

// open returns a Store on a new database, and the Store's pool.
func open(t testing.TB) (*postgres.Store, *pgxpool.Pool) {
	t.Helper()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{
		URL: testkit.Database(t, "partnercatalog", postgres.Migrate), MaxConns: 8,
	})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	store, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	return store, pool
}
