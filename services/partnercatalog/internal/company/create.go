package company

import (
	"context"
	"errors"
	"fmt"

	"vitae.internal/pkg/id"
)

// New is a company that an app asks for. Optional text is nil when it was not
// given: given and empty is a fault.
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
	// ExternalID makes the creation idempotent.
	ExternalID *string
}

// Create adds a company of the app. When the app has one with the external id
// already, it gives that one as it is now, and existed is true; of any number of
// calls at once exactly one finds none (decision 26).
// Errors: PUBLIC_API_VALIDATION_ERROR naming the field, ErrSlugTaken.
func (s *Service) Create(ctx context.Context, appID string, n New) (created Company, existed bool, err error) {
	if n, err = n.checked(); err != nil {
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

// orExisting gives the company with the app's external id of c, if there is one,
// when c could not be added: the slug of a repeated call is taken by the company
// of the first.
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

// CheckCreate makes the checks of Create and writes nothing. Errors: as Create.
func (s *Service) CheckCreate(ctx context.Context, appID string, n New) error {
	n, err := n.checked()
	if err != nil || n.Slug == nil {
		return err
	}
	taken, err := s.store.SlugIsTaken(ctx, *n.Slug)
	if err != nil || !taken {
		return err
	}
	if n.ExternalID != nil {
		if _, err := s.store.CompanyByExternalID(ctx, appID, *n.ExternalID); !errors.Is(err, ErrNotFound) {
			return err
		}
	}
	return ErrSlugTaken
}

// checked gives n without white space round its texts, apart from the external
// id, which is the app's own. Errors: PUBLIC_API_VALIDATION_ERROR naming the
// field.
func (n New) checked() (New, error) {
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
	return n, f.Err()
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
	// maxSteps bounds the tries: the last ones are billions of numbers apart.
	maxSteps = singleSteps + 32
)

// createNumbered adds c with the next free number behind the stem of its slug,
// and gives the slug (decision 25). Errors: ErrExternalIDTaken.
//
// A series remembers its last number, so the cost does not grow with the
// companies of one name. Numbers that were taken by other means, given slugs or
// names that end in a number, are passed one by one, and in ever longer steps
// once there are many in a row.
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
