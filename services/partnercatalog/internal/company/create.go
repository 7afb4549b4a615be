package company

import (
	"context"
	"errors"
	"fmt"

	"vitae.internal/pkg/id"
)

// New is a request to create a company. An optional field is nil if it is not set; an empty string
// is invalid.
type New struct {
	Name          string
	Industry      string
	EmployeeCount string
	Location      string
	Description   string
	// Slug is derived from the name if it is nil.
	Slug    *string
	Website *string
	Logo    *string
	// ExternalID makes the creation idempotent (behaviour: companies#external-id).
	ExternalID *string
}

// Create adds a company. If the app already has a company with the external id, Create returns that
// company unchanged, and existed is true. Concurrent calls with the same external id create exactly
// one company (behaviour: companies#external-id). Create returns PUBLIC_API_VALIDATION_ERROR with
// all validation errors, or ErrSlugTaken if a different company has the slug.
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
	found, existed, err := s.orExisting(ctx, c, s.cfg.Store.CreateCompany(ctx, c))
	if n.Slug == nil && errors.Is(err, ErrSlugTaken) {
		c.Slug, err = s.createNumbered(ctx, c)
		found, existed, err = s.orExisting(ctx, c, err)
	}
	if existed || err != nil {
		return found, existed, err
	}
	return c, false, nil
}

// orExisting handles a conflict error: if a company with the external id of c exists, it returns
// that company instead of the error. A repeated call can also conflict on the slug, because the
// company created by the first call has it.
func (s *Service) orExisting(ctx context.Context, c Company, err error) (found Company, existed bool, _ error) {
	if c.ExternalID == "" || !errors.Is(err, ErrSlugTaken) && !errors.Is(err, ErrExternalIDTaken) {
		return Company{}, false, err
	}
	found, lookup := s.cfg.Store.CompanyByExternalID(ctx, c.AppID, c.ExternalID)
	if errors.Is(lookup, ErrNotFound) {
		return Company{}, false, err
	}
	return found, lookup == nil, lookup
}

// ValidateCreate checks a request as Create does, without writing anything. It returns the same
// errors as Create, but reports a taken slug together with the other validation errors.
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

// slugIsTaken reports whether a valid slug of n belongs to an existing company. It returns false if
// the app has a company with the external id, because Create would return that company.
func (s *Service) slugIsTaken(ctx context.Context, appID string, n New, faults *faults) (bool, error) {
	if n.Slug == nil || faults.Covers("slug") {
		return false, nil
	}
	taken, err := s.cfg.Store.SlugIsTaken(ctx, *n.Slug)
	if err != nil || !taken || n.ExternalID == nil || faults.Covers("external_id") {
		return taken, err
	}
	_, err = s.cfg.Store.CompanyByExternalID(ctx, appID, *n.ExternalID)
	if errors.Is(err, ErrNotFound) {
		return true, nil
	}
	return false, err
}

// checked returns n with trimmed fields, and all validation errors. The external id is not trimmed,
// because its format is up to the app.
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
	ifSet(n.Slug, func(s string) { f.slug("slug", s) })
	ifSet(n.Website, func(s string) { f.link("website", s) })
	ifSet(n.Logo, func(s string) { f.link("logo", s) })
	ifSet(n.ExternalID, func(s string) { f.required("external_id", s, maxExternalID) })
	return n, f
}

func (n New) company() Company {
	c := Company{
		Name: n.Name, Industry: n.Industry, EmployeeCount: n.EmployeeCount,
		Location: n.Location, Description: n.Description, Socials: Socials{},
	}
	ifSet(n.Slug, func(s string) { c.Slug = s })
	ifSet(n.Website, func(s string) { c.Website = s })
	ifSet(n.Logo, func(s string) { c.Logo = s })
	ifSet(n.ExternalID, func(s string) { c.ExternalID = s })
	return c
}

const (
	// singleSteps is the number of consecutive numbers to try first.
	singleSteps = 16
	// maxSteps is the maximum number of tries. After singleSteps, the step doubles with each try,
	// so the last tries are billions apart.
	maxSteps = singleSteps + 32
)

// createNumbered adds c with the next free number appended to the stem of its slug, and returns the
// slug (behaviour: companies#slugs). It returns ErrExternalIDTaken if the app already has a company
// with the external id.
//
// The store keeps the last number of each stem, so the cost does not grow with the number of
// companies that have the same name. Slugs chosen by apps and names that end in a number do not
// update that counter. They are skipped one by one at first, and then in growing steps.
func (s *Service) createNumbered(ctx context.Context, c Company) (slug string, err error) {
	stem, step := stemOf(c.Slug), int64(1)
	for try := range maxSteps {
		if try >= singleSteps {
			step *= 2
		}
		slug, err = s.cfg.Store.CreateNumberedCompany(ctx, c, stem, step)
		if !errors.Is(err, ErrSlugTaken) {
			return slug, err
		}
	}
	return "", fmt.Errorf("company: no free number for the stem %q after %d tries", stem, maxSteps)
}

func ifSet(s *string, use func(string)) {
	if s != nil {
		use(*s)
	}
}
