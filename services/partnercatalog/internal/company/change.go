package company

import (
	"context"
	"errors"
	"time"

	"vitae.internal/services/partnercatalog/internal/validate"
)

// Change is what to write to a company; nil stays as it is.
type Change struct {
	// ID of the company.
	ID string
	// AppID that must have made it; empty for internal teams, who reach any.
	AppID string
	// Slug that the company must have.
	Slug *string
	// ExternalID that the company must have; with NoExternalID it must have none.
	ExternalID   *string
	NoExternalID bool

	Name *string
	// Tagline is cleared by blank text.
	Tagline     *string
	Description *string
	Location    *string
	// Website and Logo are cleared by ClearWebsite and ClearLogo; empty text is no
	// link. In the store, empty text clears.
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

// Update changes a company of the app. A change that says nothing changes
// nothing. Errors: PUBLIC_API_VALIDATION_ERROR naming the field; ErrNotManaged;
// ErrSlugFixed; ErrExternalIDFixed.
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
	return Company{}, ErrExternalIDFixed // nothing else keeps a company from its app
}

// SetPage changes a company of any app. Errors: PUBLIC_API_VALIDATION_ERROR naming
// the field; ErrNotFound.
func (s *Service) SetPage(ctx context.Context, change Change) (Company, error) {
	change.AppID = ""
	return s.write(ctx, change)
}

// write makes a change. Errors: PUBLIC_API_VALIDATION_ERROR naming the field;
// ErrNotFound when no company has the id, the app, the slug and the external id of
// the change.
func (s *Service) write(ctx context.Context, change Change) (Company, error) {
	change, err := change.checked()
	if err != nil {
		return Company{}, err
	}
	if !change.says() {
		found, err := s.Page(ctx, change.ID)
		if err == nil && !change.meets(found) {
			err = ErrNotFound
		}
		return found, err
	}
	if !validate.IsStorable(change.ID) {
		return Company{}, ErrNotFound
	}
	change.UpdatedAt = s.now()
	return s.store.UpdateCompany(ctx, change)
}

// meets reports whether c is the company that the change is for.
func (change Change) meets(c Company) bool {
	return (change.AppID == "" || change.AppID == c.AppID) && (change.Slug == nil || *change.Slug == c.Slug) &&
		(change.ExternalID == nil || *change.ExternalID == c.ExternalID && c.ExternalID != "") &&
		(!change.NoExternalID || c.ExternalID == "")
}

// says reports whether there is anything to write.
func (change Change) says() bool {
	for _, s := range []*string{
		change.Name, change.Tagline, change.Description, change.Location, change.Website, change.Industry,
		change.EmployeeCount, change.Logo, change.Founded, change.Banner,
	} {
		if s != nil {
			return true
		}
	}
	return len(change.Socials) > 0 || change.Published != nil || change.Verified != nil
}

// checked gives the change as the store takes it: without white space round its
// texts, and with empty text for what is cleared.
// Errors: PUBLIC_API_VALIDATION_ERROR naming the field.
func (change Change) checked() (Change, error) {
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
	return change, f.Err()
}

// checked gives the links without white space round them.
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
