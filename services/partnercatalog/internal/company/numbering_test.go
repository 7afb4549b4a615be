package company_test

import (
	"context"
	"fmt"
	"testing"

	"vitae.internal/pkg/clock"
	pkgpostgres "vitae.internal/pkg/postgres"
	"vitae.internal/pkg/testkit"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

func TestMain(m *testing.M) { testkit.Main(m) }

// counting is a store that counts calls. Each call is one round trip to the database.
type counting struct {
	company.Store
	calls int
}

func (c *counting) CreateCompany(ctx context.Context, n company.Company) error {
	c.calls++
	return c.Store.CreateCompany(ctx, n)
}

func (c *counting) CreateNumberedCompany(ctx context.Context, n company.Company, stem string, step int64) (string, error) {
	c.calls++
	return c.Store.CreateNumberedCompany(ctx, n, stem, step)
}

func (c *counting) CompanyByExternalID(ctx context.Context, appID, externalID string) (company.Company, error) {
	c.calls++
	return c.Store.CompanyByExternalID(ctx, appID, externalID)
}

// creation returns a function that creates a company and returns the company's slug and the number
// of round trips.
func creation(t *testing.T, prepare ...string) func(name string, externalID *string) (slug string, calls int) {
	t.Helper()
	pool, err := pkgpostgres.Open(t.Context(), pkgpostgres.Config{URL: testkit.Database(t, "catalog", postgres.Migrate), MaxConns: 4})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(pool.Close)
	for _, sql := range prepare {
		if _, err := pool.Exec(t.Context(), sql); err != nil {
			t.Fatal(err)
		}
	}
	companies, err := postgres.New(pool)
	if err != nil {
		t.Fatal(err)
	}
	store := &counting{Store: companies}
	service, err := company.NewService(company.Config{Store: store, Clock: clock.System{}})
	if err != nil {
		t.Fatal(err)
	}
	return func(name string, externalID *string) (string, int) {
		t.Helper()
		store.calls = 0
		c, _, err := service.Create(t.Context(), "app_1", company.New{
			Name: name, Industry: "I", EmployeeCount: "1", Location: "L", ExternalID: externalID,
			Description: "A description of a company that is long enough to be one.",
		})
		if err != nil {
			t.Fatal(err)
		}
		return c.Slug, store.calls
	}
}

func TestNumberedSlugNeedsTwoRoundTrips(t *testing.T) {
	create := creation(t)
	for i := range 200 {
		slug, calls := create("Acme", nil)
		switch {
		case i == 0 && (slug != "acme" || calls != 1):
			t.Errorf("first company: slug %s in %d round trips, want acme in 1", slug, calls)
		case i > 0 && (slug != fmt.Sprint("acme-", i+1) || calls != 2):
			t.Errorf("company %d: slug %s in %d round trips, want 2", i+1, slug, calls)
		}
	}
}

func TestRepeatedExternalIDNeedsTwoRoundTrips(t *testing.T) {
	create := creation(t)
	create("Acme", nil)
	e := "e"
	if slug, calls := create("Acme", &e); slug != "acme-2" || calls != 3 {
		t.Errorf("first call: slug %s in %d round trips, want acme-2 in 3", slug, calls)
	}
	for _, name := range []string{"Acme", "Ajax"} {
		if slug, calls := create(name, &e); slug != "acme-2" || calls != 2 {
			t.Errorf("repeated call with name %s: slug %s in %d round trips, want acme-2 in 2", name, slug, calls)
		}
	}
	if slug, _ := create("Acme", nil); slug != "acme-3" {
		t.Errorf("slug %s, want acme-3: a repeated call used a number", slug)
	}
}

func TestTakenNumbersAreSkippedInFewSteps(t *testing.T) {
	create := creation(t, `
		INSERT INTO companies SELECT 'com_' || n, 'app_2', NULL, 'Squatter', 'acme-' || n,
			'', '', '', '', '', '', '', '', '', '{}', false, false, now(), now()
		FROM generate_series(2, 20000) n`)
	create("Acme", nil)
	slug, calls := create("Acme", nil)
	if calls > 35 {
		t.Errorf("slug %s took %d round trips, want at most 35", slug, calls)
	}
	if next, calls := create("Acme", nil); calls != 2 {
		t.Errorf("slug %s, then %s in %d round trips, want 2: the last number was not stored", slug, next, calls)
	}
}
