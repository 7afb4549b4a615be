package postgres_test

import (
	"errors"
	"fmt"
	"reflect"
	"sync"
	"testing"
	"time"

	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/id"
	"vitae.internal/services/partnercatalog/internal/company"
	"vitae.internal/services/partnercatalog/internal/postgres"
)

// employer returns a company with every field that can be set on creation.
func employer(appID, slug string) company.Company {
	return company.Company{
		ID: id.New("com"), AppID: appID, Name: "Acme «شركة»", Slug: slug, Description: "About", Location: "Dubai, UAE",
		Website: "https://acme.example", Industry: "Rockets", EmployeeCount: "51-200", Logo: "https://acme.example/logo.png",
		Socials: company.Socials{}, CreatedAt: start, UpdatedAt: start,
	}
}

func add(t *testing.T, s *postgres.Store, c company.Company) company.Company {
	t.Helper()
	if err := s.CreateCompany(t.Context(), c); err != nil {
		t.Fatal(err)
	}
	return c
}

func update(t *testing.T, s *postgres.Store, change company.Change) company.Company {
	t.Helper()
	changed, err := s.UpdateCompany(t.Context(), change)
	if err != nil {
		t.Fatal(err)
	}
	return changed
}

func ptr[T any](v T) *T { return &v }

func TestCompanyRoundTrip(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	want := employer("app_1", "acme")
	want.ExternalID = " ext «1» "
	add(t, s, want)
	if got, err := s.Company(t.Context(), want.ID); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("got %+v, %v\nwant %+v", got, err, want)
	}

	later := start.Add(time.Minute)
	change := company.Change{
		ID: want.ID, AppID: want.AppID, Slug: &want.Slug, Name: ptr("Name"), Tagline: ptr("Tagline"), Description: ptr("Description"),
		Location: ptr("Location"), Website: ptr("https://w.example"), Industry: ptr("Industry"), EmployeeCount: ptr("1-10"),
		Logo: ptr("https://l.example"), Founded: ptr("1999-12-31"), Banner: ptr("https://b.example"),
		Published: ptr(true), Verified: ptr(true), UpdatedAt: later, Socials: company.Socials{},
	}
	want = company.Company{
		ID: want.ID, AppID: want.AppID, ExternalID: want.ExternalID, Slug: want.Slug, Name: "Name", Tagline: "Tagline",
		Description: "Description", Location: "Location", Website: "https://w.example", Industry: "Industry", EmployeeCount: "1-10",
		Logo: "https://l.example", Founded: "1999-12-31", Banner: "https://b.example", Published: true, Verified: true,
		Socials: company.Socials{}, CreatedAt: start, UpdatedAt: later,
	}
	for _, platform := range company.Platforms {
		change.Socials[platform], want.Socials[platform] = "on "+string(platform), "on "+string(platform)
	}
	if got := update(t, s, change); !reflect.DeepEqual(got, want) {
		t.Errorf("changed: got %+v\nwant %+v", got, want)
	}
	got, err := s.CompanyByExternalID(t.Context(), want.AppID, want.ExternalID)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("by external id: got %+v, %v\nwant %+v", got, err, want)
	}
}

func TestSlugsAndExternalIDsAreUnique(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	first := employer("app_1", "acme")
	first.ExternalID = "e"
	add(t, s, first)
	for name, tc := range map[string]struct {
		appID, slug, externalID string
		want                    error
	}{
		"slug":                 {"app_2", "acme", "", company.ErrSlugTaken},
		"external id":          {"app_1", "other", "e", company.ErrExternalIDTaken},
		"in a different app":   {"app_2", "second", "e", nil},
		"no external id":       {"app_1", "third", "", nil},
		"no external id again": {"app_1", "fourth", "", nil},
	} {
		c := employer(tc.appID, tc.slug)
		c.ExternalID = tc.externalID
		if err := s.CreateCompany(t.Context(), c); !errors.Is(err, tc.want) {
			t.Errorf("%s: %v, want %v", name, err, tc.want)
		}
	}
	for slug, want := range map[string]bool{"acme": true, "other": false} {
		if got, err := s.SlugIsTaken(t.Context(), slug); err != nil || got != want {
			t.Errorf("SlugIsTaken(%s) = %t, %v", slug, got, err)
		}
	}
}

func TestFailedCreateChangesNoCounts(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	first := employer("app_1", "acme")
	first.ExternalID = "e"
	add(t, s, first)
	again := employer("app_1", "acme")
	again.ExternalID = "e"
	if err := s.CreateCompany(t.Context(), again); err == nil {
		t.Fatal("created a second company with the same slug")
	}
	if _, err := s.CreateNumberedCompany(t.Context(), again, "acme", 1); !errors.Is(err, company.ErrExternalIDTaken) {
		t.Fatalf("second company with the same external id: %v", err)
	}
	slug, err := s.CreateNumberedCompany(t.Context(), employer("app_1", ""), "acme", 1)
	if err != nil || slug != "acme-2" {
		t.Errorf("slug %q, %v, want acme-2", slug, err)
	}
	if list, total, err := s.Companies(t.Context(), "app_1", 0, 10); err != nil || total != 2 || len(list) != 2 {
		t.Errorf("%d companies of %d, %v; want 2 of 2", len(list), total, err)
	}
}

func TestSeriesSkipsTakenNumbers(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, employer("app_1", "acme-2"))
	for i, want := range []string{"", "acme-3", "acme-7"} {
		step := int64(1)
		if i == 2 {
			step = 4
		}
		slug, err := s.CreateNumberedCompany(t.Context(), employer("app_1", ""), "acme", step)
		if want == "" && !errors.Is(err, company.ErrSlugTaken) || want != "" && err != nil || slug != want {
			t.Errorf("call %d: slug %q, %v, want %q", i, slug, err, want)
		}
	}
}

func TestCompanyPagesAreNewestFirst(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	add(t, s, employer("app_other", "other"))
	var newestFirst []string
	for i := range 7 {
		c := employer("app_1", fmt.Sprintf("c-%d", i))
		c.CreatedAt = start.Add(time.Duration(i/2) * time.Second) // ties are broken by id
		newestFirst = append([]string{add(t, s, c).ID}, newestFirst...)
	}
	for _, tc := range []struct {
		appID      string
		skip, size int64
		want       []string
		total      int32
	}{
		{"app_1", 0, 3, newestFirst[:3], 7},
		{"app_1", 3, 3, newestFirst[3:6], 7},
		{"app_1", 6, 3, newestFirst[6:], 7},
		{"app_1", 7, 3, nil, 7},
		{"app_1", 1 << 40, 100, nil, 7},
		{"app_none", 0, 25, nil, 0},
	} {
		list, total, err := s.Companies(t.Context(), tc.appID, tc.skip, tc.size)
		var got []string
		for _, c := range list {
			got = append(got, c.ID)
		}
		if err != nil || total != tc.total || !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s, size %d at offset %d: %v of %d, %v\nwant %v of %d", tc.appID, tc.size, tc.skip, got, total, err, tc.want, tc.total)
		}
	}
}

func TestUpdateRequiresAppAndSlug(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	c := add(t, s, employer("app_1", "acme"))
	for name, change := range map[string]company.Change{
		"unknown id":     {ID: "com_0", AppID: "app_1"},
		"different app":  {ID: c.ID, AppID: "app_2"},
		"different slug": {ID: c.ID, AppID: "app_1", Slug: ptr("acme-2")},
	} {
		change.Name = ptr("Stolen")
		if _, err := s.UpdateCompany(t.Context(), change); !errors.Is(err, company.ErrNotFound) {
			t.Errorf("%s: %v, want ErrNotFound", name, err)
		}
	}
	if got, err := s.Company(t.Context(), c.ID); err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("rejected updates changed the company: %+v, %v", got, err)
	}
}

func TestUpdatedAtAlwaysIncreases(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	c := add(t, s, employer("app_1", "acme"))
	for _, tc := range []struct{ clock, want time.Duration }{
		{0, time.Millisecond}, {-time.Hour, 2 * time.Millisecond}, {time.Minute, time.Minute},
	} {
		got := update(t, s, company.Change{ID: c.ID, Published: ptr(true), UpdatedAt: start.Add(tc.clock)})
		if want := start.Add(tc.want); !got.UpdatedAt.Equal(want) || !got.CreatedAt.Equal(start) {
			t.Errorf("updated at %v, want %v; created at %v", got.UpdatedAt, want, got.CreatedAt)
		}
	}
}

func TestConcurrentUpdatesAreNotLost(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	c := add(t, s, employer("app_1", "acme"))
	changes := []company.Change{
		{Name: ptr("N")}, {Tagline: ptr("T")}, {Description: ptr("D")}, {Location: ptr("L")}, {Industry: ptr("I")},
		{EmployeeCount: ptr("E")}, {Banner: ptr("B")}, {Verified: ptr(true)},
	}
	for _, platform := range company.Platforms {
		changes = append(changes, company.Change{Socials: company.Socials{platform: "s"}})
	}
	var wg sync.WaitGroup
	for _, change := range changes {
		change.ID, change.UpdatedAt = c.ID, start
		wg.Go(func() {
			if _, err := s.UpdateCompany(t.Context(), change); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	got, err := s.Company(t.Context(), c.ID)
	if err != nil {
		t.Fatal(err)
	}
	if got.Name != "N" || got.Tagline != "T" || got.Description != "D" || got.Location != "L" || got.Industry != "I" ||
		got.EmployeeCount != "E" || got.Banner != "B" || !got.Verified || len(got.Socials) != len(company.Platforms) {
		t.Errorf("a change was lost: %+v", got)
	}
	if want := start.Add(time.Duration(len(changes)) * time.Millisecond); !got.UpdatedAt.Equal(want) {
		t.Errorf("updated at %v, want %v", got.UpdatedAt, want)
	}
}

func TestUpdateAcceptsSlugUnderOldRule(t *testing.T) {
	t.Parallel()
	s, _ := open(t)
	existing := add(t, s, employer("app_1", "-"))
	companies, err := company.NewService(company.Config{Store: s, Clock: clock.NewFake(start)})
	if err != nil {
		t.Fatal(err)
	}
	got, err := companies.Update(t.Context(), "app_1", company.Change{ID: existing.ID, Slug: ptr("-"), Name: ptr("New")})
	if err != nil || got.Slug != "-" || got.Name != "New" {
		t.Errorf("got %+v, %v", got, err)
	}
}
