package company

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/fault"
)

// Change is what to write to a company. A nil field stays as it is.
type Change struct {
	// ID of the company.
	ID string
	// AppID is the app that must have made the company. It is empty for internal
	// teams, who reach every company.
	AppID string
	// Slug that the company must have.
	Slug *string
	// ExternalID that the company must have. With NoExternalID it must have none.
	ExternalID   *string
	NoExternalID bool

	Name *string
	// Tagline is cleared by blank text.
	Tagline     *string
	Description *string
	Location    *string
	// Website and Logo are cleared by ClearWebsite and ClearLogo. In a request, empty
	// text is a fault; in the change that the store gets, it clears.
	Website       *string
	ClearWebsite  bool
	Industry      *string
	EmployeeCount *string
	Logo          *string
	ClearLogo     bool
	// Socials are merged into those that are there; blank ones are removed.
	Socials Socials

	// Founded and Banner are cleared by blank text.
	Founded   *string
	Banner    *string
	Published *bool
	Verified  *bool

	// UpdatedAt is when the change is made.
	UpdatedAt time.Time
}

// Update changes a company of the app. A change without fields changes nothing
// (behaviour: requests#an-update-that-changes-nothing).
// Errors: PUBLIC_API_VALIDATION_ERROR with every fault; ErrNotManaged; ErrSlugFixed;
// ErrExternalIDFixed.
func (s *Service) Update(ctx context.Context, appID string, change Change) (Company, error) {
	change.AppID = appID
	changed, err := s.write(ctx, change)
	if !errors.Is(err, ErrNotFound) {
		return changed, err
	}
	found, err := s.Get(ctx, appID, change.ID)
	if err != nil {
		return Company{}, err
	}
	if change.Slug != nil && *change.Slug != found.Slug {
		return Company{}, ErrSlugFixed
	}
	return Company{}, ErrExternalIDFixed // the one condition of the change that is left
}

// SetPage changes a company of any app. Errors: PUBLIC_API_VALIDATION_ERROR with
// every fault; ErrNotFound.
func (s *Service) SetPage(ctx context.Context, change Change) (Company, error) {
	change.AppID = ""
	return s.write(ctx, change)
}

// write makes a change. Errors: PUBLIC_API_VALIDATION_ERROR with every fault;
// ErrNotFound when no company has the id, the app, the slug and the external id of
// the change.
func (s *Service) write(ctx context.Context, change Change) (Company, error) {
	change, faults := change.checked()
	if err := faults.Err(); err != nil {
		return Company{}, err
	}
	if change.isEmpty() {
		found, err := s.Page(ctx, change.ID)
		if err == nil && !change.meets(found) {
			err = ErrNotFound
		}
		return found, err
	}
	if !fault.IsStorable(change.ID) {
		return Company{}, ErrNotFound
	}
	change.UpdatedAt = s.now()
	return s.store.UpdateCompany(ctx, change)
}

// meets reports whether c is the company that the change requires.
func (change Change) meets(c Company) bool {
	return (change.AppID == "" || change.AppID == c.AppID) && (change.Slug == nil || *change.Slug == c.Slug) &&
		(change.ExternalID == nil || *change.ExternalID == c.ExternalID && c.ExternalID != "") &&
		(!change.NoExternalID || c.ExternalID == "")
}

// isEmpty reports whether there is nothing to write.
func (change Change) isEmpty() bool {
	for _, s := range []*string{
		change.Name, change.Tagline, change.Description, change.Location, change.Website, change.Industry,
		change.EmployeeCount, change.Logo, change.Founded, change.Banner,
	} {
		if s != nil {
			return false
		}
	}
	return len(change.Socials) == 0 && change.Published == nil && change.Verified == nil
}

// checked gives the change in the form that the store takes, and every fault of it.
// In that form, texts have no white space at their ends, and empty text clears.
func (change Change) checked() (Change, *faults) {
	for _, s := range []**string{
		&change.Name, &change.Tagline, &change.Description, &change.Location, &change.Website, &change.Industry,
		&change.EmployeeCount, &change.Logo, &change.Founded, &change.Banner,
	} {
		*s = trimmed(*s)
	}
	f := newFaults()
	given(change.Name, func(s string) { f.line("name", s, maxName) })
	given(change.Tagline, func(s string) { f.Line("tagline", s, maxTagline) })
	given(change.Description, func(s string) { f.description("description", s) })
	given(change.Location, func(s string) { f.line("location", s, maxLocation) })
	given(change.Website, func(s string) { f.clearableLink("website", s) })
	given(change.Industry, func(s string) { f.line("industry", s, maxIndustry) })
	given(change.EmployeeCount, func(s string) { f.line("employee_count", s, maxEmployeeCount) })
	given(change.Logo, func(s string) { f.clearableLink("logo", s) })
	change.Socials = change.Socials.checked(f)
	given(change.Slug, func(s string) { f.Text("slug", s, maxSlug) })
	given(change.ExternalID, func(s string) { f.Text("external_id", s, maxExternalID) })
	filled(change.Banner, func(s string) { f.link("banner", s) })
	filled(change.Founded, func(s string) { f.day("founded", s) })
	none := ""
	if change.ClearWebsite {
		change.Website = &none
	}
	if change.ClearLogo {
		change.Logo = &none
	}
	return change, f
}

// checked gives the links without white space at their ends.
func (socials Socials) checked(f *faults) Socials {
	out := make(Socials, len(socials))
	for _, platform := range Platforms {
		if link, ok := socials[platform]; ok {
			out[platform] = trim(link)
			f.social("socials."+string(platform), out[platform])
		}
	}
	return out
}

// filled calls use when there is a text and it is not empty.
func filled(s *string, use func(string)) {
	if s != nil && *s != "" {
		use(*s)
	}
}
