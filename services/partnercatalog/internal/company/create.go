package company

import (
	"context"
	"errors"
	"fmt"

	"vitae.internal/pkg/id"
)

// New is a company that an app wants to create. An optional text is nil when the
// request does not have it; an empty one is a fault.
type New struct {
	Name          string
	Industry      string
	EmployeeCount string
	Location      string
	Description   string
	// Slug is derived from the name when it is nil.
	Slug    *string
	Website *string
	Logo    *string
	// ExternalID makes the creation idempotent (behaviour: companies#external-id).
	ExternalID *string
}

// Create adds a company of the app. If the app already has one with the external id,
// Create gives that one in its present state, and existed is true. Of any number of
// concurrent calls exactly one creates the company (behaviour: companies#external-id).
// Errors: PUBLIC_API_VALIDATION_ERROR with every fault, ErrSlugTaken.
func (s *Service) Create(ctx context.Context, appID string, n New) (created Company, existed bool, err error) {
	n, faults := n.checked()
	if err := faults.Err(); err != nil {
		return Company{}, false, err
	}
	c := n.company()
	c.ID, c.AppID = id.New("com"), appID
	c.CreatedAt = s.now()
	c.UpdatedAt = c.CreatedAt
	if n.Slug == nil {
		c.Slug = deriveSlug(c.Name)
	}
	found, existed, err := s.orExisting(ctx, c, s.store.CreateCompany(ctx, c))
	if n.Slug == nil && errors.Is(err, ErrSlugTaken) {
		c.Slug, err = s.createNumbered(ctx, c)
		found, existed, err = s.orExisting(ctx, c, err)
	}
	if existed || err != nil {
		return found, existed, err
	}
	return c, false, nil
}

// orExisting gives the company that has the app's external id of c, if c could not
// be added and there is one. A repeated call may fail on its slug too, since the
// company of the first call has it.
func (s *Service) orExisting(ctx context.Context, c Company, err error) (found Company, existed bool, _ error) {
	if c.ExternalID == "" || !errors.Is(err, ErrSlugTaken) && !errors.Is(err, ErrExternalIDTaken) {
		return Company{}, false, err
	}
	found, lookup := s.store.CompanyByExternalID(ctx, c.AppID, c.ExternalID)
	if errors.Is(lookup, ErrNotFound) {
		return Company{}, false, err
	}
	return found, lookup == nil, lookup
}

// ValidateCreate makes the checks of Create and writes nothing. A slug that is taken is
// one more fault of the request. Errors: as Create.
func (s *Service) ValidateCreate(ctx context.Context, appID string, n New) error {
	n, faults := n.checked()
	taken, err := s.slugIsTaken(ctx, appID, n, faults)
	if err != nil {
		return err
	}
	if !taken {
		return faults.Err()
	}
	if faults.Err() == nil {
		return ErrSlugTaken
	}
	faults.Add(ErrSlugTaken.Field(), "%s", ErrSlugTaken.Message)
	return faults.Err()
}

// slugIsTaken reports whether the slug of n, if it is sound, keeps the app from
// creating n. It does not if the app has a company with the external id: then Create
// gives that company.
func (s *Service) slugIsTaken(ctx context.Context, appID string, n New, faults *faults) (bool, error) {
	if n.Slug == nil || faults.Covers("slug") {
		return false, nil
	}
	taken, err := s.store.SlugIsTaken(ctx, *n.Slug)
	if err != nil || !taken || n.ExternalID == nil || faults.Covers("external_id") {
		return taken, err
	}
	_, err = s.store.CompanyByExternalID(ctx, appID, *n.ExternalID)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return false, err
}

// checked gives n without white space at the ends of its texts, and every fault of
// it. The external id stays as it is, since the app chose it.
func (n New) checked() (New, *faults) {
	n.Name, n.Industry, n.EmployeeCount = trim(n.Name), trim(n.Industry), trim(n.EmployeeCount)
	n.Location, n.Description = trim(n.Location), trim(n.Description)
	n.Website, n.Logo = trimmed(n.Website), trimmed(n.Logo)
	f := newFaults()
	f.line("name", n.Name, maxName)
	f.line("industry", n.Industry, maxIndustry)
	f.line("employee_count", n.EmployeeCount, maxEmployeeCount)
	f.line("location", n.Location, maxLocation)
	f.description("description", n.Description)
	given(n.Slug, func(s string) { f.slug("slug", s) })
	given(n.Website, func(s string) { f.link("website", s) })
	given(n.Logo, func(s string) { f.link("logo", s) })
	given(n.ExternalID, func(s string) { f.required("external_id", s, maxExternalID) })
	return n, f
}

func (n New) company() Company {
	c := Company{
		Name: n.Name, Industry: n.Industry, EmployeeCount: n.EmployeeCount,
		Location: n.Location, Description: n.Description, Socials: Socials{},
	}
	given(n.Slug, func(s string) { c.Slug = s })
	given(n.Website, func(s string) { c.Website = s })
	given(n.Logo, func(s string) { c.Logo = s })
	given(n.ExternalID, func(s string) { c.ExternalID = s })
	return c
}

const (
	// singleSteps is how many numbers are tried one after the other.
	singleSteps = 16
	// maxSteps bounds the tries. The last ones are billions of numbers apart.
	maxSteps = singleSteps + 32
)

// createNumbered adds c with the next free number behind the stem of its slug,
// and gives the slug (behaviour: companies#slugs). Errors: ErrExternalIDTaken.
//
// The store remembers the last number of each stem, so the cost does not grow with
// the companies of one name. Slugs that apps gave, and names that end in a number,
// take numbers without moving that memory. These are passed one by one, and in ever
// longer steps once many stand in a row.
func (s *Service) createNumbered(ctx context.Context, c Company) (slug string, err error) {
	stem, step := stemOf(c.Slug), int64(1)
	for try := range maxSteps {
		if try >= singleSteps {
			step *= 2
		}
		slug, err = s.store.CreateNumberedCompany(ctx, c, stem, step)
		if !errors.Is(err, ErrSlugTaken) {
			return slug, err
		}
	}
	return "", fmt.Errorf("company: no free number behind %q in %d tries", stem, maxSteps)
}

// given calls use when there is a text.
func given(s *string, use func(string)) {
	if s != nil {
		use(*s)
	}
}
