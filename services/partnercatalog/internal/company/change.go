package company

import (
	"context"
	"errors"
	"time"

	"vitae.internal/pkg/fault"
)

// Change is an update of a company. Nil fields are not changed.
type Change struct {
	// ID is the id of the company.
	ID string
	// AppID limits the change to companies of the app. It is empty for internal callers.
	AppID string
	// Slug and ExternalID are conditions: the change applies only if the company has these values.
	Slug       *string
	ExternalID *string
	// NoExternalID is a condition: the change applies only if the company has no external id.
	NoExternalID bool

	Name *string
	// Tagline is cleared if it points to an empty string.
	Tagline     *string
	Description *string
	Location    *string
	// Website and Logo are cleared if ClearWebsite or ClearLogo is set. In a request, an empty
	// string is invalid; in a change passed to the store, it clears the field.
	Website       *string
	ClearWebsite  bool
	Industry      *string
	EmployeeCount *string
	Logo          *string
	ClearLogo     bool
	// Socials is merged into the existing links. An empty link removes the existing one.
	Socials Socials

	// Founded and Banner are cleared if they point to an empty string.
	Founded   *string
	Banner    *string
	Published *bool
	Verified  *bool

	UpdatedAt time.Time
}

// Update changes a company of the app. An empty change writes nothing
// (behaviour: requests#empty-updates). Update returns PUBLIC_API_VALIDATION_ERROR with all
// validation errors, ErrNotManaged if the app does not manage the company, and ErrSlugFixed or
// ErrExternalIDFixed if the request would change that field.
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
	return Company{}, ErrExternalIDFixed // this is the only other condition that can have failed
}

// SetPage changes a company of any app. It returns PUBLIC_API_VALIDATION_ERROR with all validation
// errors, or ErrNotFound if the company does not exist or does not meet the conditions of the
// change.
func (s *Service) SetPage(ctx context.Context, change Change) (Company, error) {
	change.AppID = ""
	return s.write(ctx, change)
}

// write validates and applies a change. It returns PUBLIC_API_VALIDATION_ERROR with all validation
// errors, or ErrNotFound if no company meets the conditions of the change.
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
	return s.cfg.Store.UpdateCompany(ctx, change)
}

// meets reports whether c satisfies the conditions of the change.
func (change Change) meets(c Company) bool {
	return (change.AppID == "" || change.AppID == c.AppID) && (change.Slug == nil || *change.Slug == c.Slug) &&
		(change.ExternalID == nil || *change.ExternalID == c.ExternalID && c.ExternalID != "") &&
		(!change.NoExternalID || c.ExternalID == "")
}

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

// checked returns the change in the form that the store expects, and all validation errors. Strings
// are trimmed, and fields to clear are empty.
func (change Change) checked() (Change, *faults) {
	for _, s := range []**string{
		&change.Name, &change.Tagline, &change.Description, &change.Location, &change.Website, &change.Industry,
		&change.EmployeeCount, &change.Logo, &change.Founded, &change.Banner,
	} {
		*s = trimmed(*s)
	}
	f := newFaults()
	ifSet(change.Name, func(s string) { f.line("name", s, maxName) })
	ifSet(change.Tagline, func(s string) { f.Line("tagline", s, maxTagline) })
	ifSet(change.Description, func(s string) { f.description("description", s) })
	ifSet(change.Location, func(s string) { f.line("location", s, maxLocation) })
	ifSet(change.Website, func(s string) { f.clearableLink("website", s) })
	ifSet(change.Industry, func(s string) { f.line("industry", s, maxIndustry) })
	ifSet(change.EmployeeCount, func(s string) { f.line("employee_count", s, maxEmployeeCount) })
	ifSet(change.Logo, func(s string) { f.clearableLink("logo", s) })
	change.Socials = change.Socials.checked(f)
	ifSet(change.Slug, func(s string) { f.Text("slug", s, maxSlug) })
	ifSet(change.ExternalID, func(s string) { f.Text("external_id", s, maxExternalID) })
	ifNotEmpty(change.Banner, func(s string) { f.link("banner", s) })
	ifNotEmpty(change.Founded, func(s string) { f.day("founded", s) })
	none := ""
	if change.ClearWebsite {
		change.Website = &none
	}
	if change.ClearLogo {
		change.Logo = &none
	}
	return change, f
}

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

func ifNotEmpty(s *string, use func(string)) {
	if s != nil && *s != "" {
		use(*s)
	}
}
