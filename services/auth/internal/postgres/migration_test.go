package postgres_test

import (
	"context"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/jackc/pgx/v5"

	"vitae.internal/pkg/credential"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/auth/internal/client"
	"vitae.internal/services/auth/internal/postgres"
	"vitae.internal/services/auth/internal/usage"
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

// A log that holds requests when its filters are introduced is filtered too, the days
// before and those after.
func TestRequestsFromBeforeTheFiltersAreFound(t *testing.T) {
	t.Parallel()
	url := databaseBefore(t, "00016")
	conn, err := pgx.Connect(t.Context(), url)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close(context.Background())
	var today time.Time
	if err := conn.QueryRow(t.Context(), "SELECT date_trunc('day', now() AT TIME ZONE 'UTC') AT TIME ZONE 'UTC'").Scan(&today); err != nil {
		t.Fatal(err)
	}
	today = today.UTC()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: url, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	store, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	// Yesterday and today are there, and tomorrow's partition waits empty.
	if err := store.MakePartitions(t.Context(), today.AddDate(0, 0, -1), today.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	add := func(at time.Time, id string, status int) {
		t.Helper()
		_, err := conn.Exec(t.Context(), `INSERT INTO request_log
			(account_id, at, request_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered)
			VALUES ('dev_1', $1, $2, 'app_1', '', '', 'GET', '/v1/me', $3, 10, 10, true)`, at, id, status)
		if err != nil {
			t.Fatal(err)
		}
	}
	add(today.Add(-time.Hour), "req_yesterday", 404)
	add(today, "req_today", 404)
	add(today, "req_good", 200)
	if err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	add(today.Add(time.Second), "req_after", 404)
	tomorrow := today.AddDate(0, 0, 1)
	add(tomorrow, "req_tomorrow", 404)
	if err := store.MakePartitions(t.Context(), tomorrow, tomorrow.AddDate(0, 0, 2)); err != nil {
		t.Fatal(err)
	}
	add(tomorrow.AddDate(0, 0, 1), "req_later", 404)
	found, err := store.Requests(t.Context(), usage.Query{
		AccountID: "dev_1", Filter: usage.Filter{Status: "4xx", AppID: "app_1"}, Since: today.AddDate(0, 0, -1),
		After: usage.Position{At: tomorrow.AddDate(0, 0, 3)}, AtMost: 10,
	})
	if err != nil {
		t.Fatal(err)
	}
	var ids []string
	for _, e := range found {
		ids = append(ids, e.RequestID)
	}
	if want := []string{"req_later", "req_tomorrow", "req_after", "req_today", "req_yesterday"}; !slices.Equal(ids, want) {
		t.Errorf("found %v, want %v", ids, want)
	}
}

// Resources are found on days that were logged before they were indexed by kind. A large day
// that was being written is read whole, the others by the index that the migration builds.
func TestRequestsOfResourcesFromBeforeKindsAreFound(t *testing.T) {
	t.Parallel()
	url := databaseBefore(t, "00023")
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: url, MaxConns: 1})
	if err != nil {
		t.Fatal(err)
	}
	defer pool.Close()
	store, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	today := usage.DayOf(time.Now())
	if err := store.MakePartitions(t.Context(), today.AddDate(0, 0, -3), today.AddDate(0, 0, 1)); err != nil {
		t.Fatal(err)
	}
	add := func(id string, at time.Time, n int, resource, agent string) {
		t.Helper()
		_, err := pool.Exec(t.Context(), `INSERT INTO request_log
			(account_id, at, request_id, app_id, api_key_id, connection_id, method, route, status, latency_us, bytes, metered, resource_id, user_agent)
			SELECT 'dev_1', $2::timestamptz + n * interval '1 second', $1::text || n, 'app_1', '', '', 'GET', '/v1/jobs/{jobId}', 200, 10, 10, true, $4, $5
			FROM generate_series(1, $3) n`, id, at, n, resource, agent)
		if err != nil {
			t.Fatal(err)
		}
	}
	tomorrow := today.AddDate(0, 0, 1)
	add("old", today.AddDate(0, 0, -3), 2, "job_1", "")
	add("yesterday", today.Add(-time.Hour), 2, "job_1", "")
	add("filler", today, 18_000, "job_2", strings.Repeat("a", 1900))
	add("today", today.Add(time.Hour), 2, "job_1", "")
	if err := postgres.Migrate(t.Context(), url); err != nil {
		t.Fatal(err)
	}
	var missing []time.Time
	if err := pool.QueryRow(t.Context(), "SELECT request_kinds_missing()").Scan(&missing); err != nil || len(missing) != 1 || !missing[0].Equal(today) {
		t.Fatalf("days without kinds %v, %v", missing, err)
	}
	add("after", today.Add(2*time.Hour), 2, "job_1", "")
	add("tomorrow", tomorrow, 2, "job_1", "")
	add("newest", tomorrow.Add(time.Hour), 1500, "job_2", "")
	for _, f := range []usage.Filter{{ResourceID: "job_1"}, {ResourceID: "job_1", APIKeyID: usage.Token, Route: "/v1/jobs/{jobId}"}} {
		found, err := store.Requests(t.Context(), usage.Query{
			AccountID: "dev_1", Filter: f, Since: today.AddDate(0, 0, -3), After: usage.Position{At: tomorrow.AddDate(0, 0, 1)}, AtMost: 100,
		})
		if err != nil {
			t.Fatal(err)
		}
		var ids []string
		for _, e := range found {
			ids = append(ids, e.RequestID)
		}
		if want := []string{"tomorrow2", "tomorrow1", "after2", "after1", "today2", "today1", "yesterday2", "yesterday1", "old2", "old1"}; !slices.Equal(ids, want) {
			t.Errorf("%v: found %v, want %v", f, ids, want)
		}
	}
}
