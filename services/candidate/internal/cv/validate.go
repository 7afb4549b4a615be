package cv

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/format"
)

// Limits of a content. Lengths are in characters, unless they say bytes.
const (
	maxParagraph = 10_000
	maxLine      = 300
	maxItemID    = 100
	maxPlatform  = 40
	maxPhone     = 50
	maxSocials   = 30
	maxSkills    = 500
	maxItems     = 200
	maxFew       = 100
	// MaxBytes limits the stored form.
	MaxBytes = 512 << 10
)

// Validate checks every field of c and adds its faults to faults, under path.
func (c Content) Validate(faults *fault.List, path string) {
	faults.Text(path+".summary", c.Summary, maxParagraph)
	faults.Text(path+".bio", c.Bio, maxParagraph)
	faults.Text(path+".about", c.About, maxParagraph)
	faults.Text(path+".location", c.Location, maxLine)
	validateSocials(faults, path+".socials", c.Socials)
	validateTexts(faults, path+".languages", c.Languages, maxFew, maxLine)
	validateTexts(faults, path+".skills", c.Skills, maxSkills, maxLine)
	validateTexts(faults, path+".interests", c.Interests, maxFew, maxLine)
	c.validateSections(faults, path)
	validateSize(faults, path, c)
}

func (c Content) validateSections(faults *fault.List, path string) {
	each(faults, path+".skill_groups", c.SkillGroups, maxFew, func(at string, g SkillGroup) {
		format.Required(faults, at+".category", g.Category, maxLine)
		validateTexts(faults, at+".items", g.Items, maxSkills, maxLine)
	})
	each(faults, path+".highlights", c.Highlights, maxFew, func(at string, h Highlight) {
		format.Required(faults, at+".title", h.Title, maxLine)
		faults.Text(at+".desc", h.Description, maxParagraph)
	})
	each(faults, path+".experiences", c.Experiences, maxItems, func(at string, e Experience) { e.validate(faults, at) })
	each(faults, path+".educations", c.Educations, maxFew, func(at string, e Education) { e.validate(faults, at) })
	each(faults, path+".certifications", c.Certifications, maxItems, func(at string, e Certification) { e.validate(faults, at) })
	each(faults, path+".projects", c.Projects, maxItems, func(at string, p Project) { p.validate(faults, at) })

	validateIDs(faults, path+".highlights", c.Highlights, func(h Highlight) string { return h.ID })
	validateIDs(faults, path+".experiences", c.Experiences, func(e Experience) string { return e.ID })
	validateIDs(faults, path+".educations", c.Educations, func(e Education) string { return e.ID })
	validateIDs(faults, path+".certifications", c.Certifications, func(e Certification) string { return e.ID })
	validateIDs(faults, path+".projects", c.Projects, func(p Project) string { return p.ID })
}

func (e Experience) validate(faults *fault.List, at string) {
	format.Required(faults, at+".title", e.Title, maxLine)
	format.Required(faults, at+".company", e.Company, maxLine)
	faults.Text(at+".location", e.Location, maxLine)
	faults.Text(at+".location_type", e.LocationType, maxLine)
	faults.Text(at+".employment_type", e.EmploymentType, maxLine)
	if e.Current {
		// The end date of a current position is not shown, so it may be before the start
		// date. It must still be a date.
		format.Date(faults, at+".start_date", e.StartDate)
		format.Date(faults, at+".end_date", e.EndDate)
	} else {
		format.Period(faults, at+".start_date", e.StartDate, at+".end_date", e.EndDate)
	}
	faults.Text(at+".overview", e.Overview, maxParagraph)
	validateTexts(faults, at+".bullets", e.Bullets, maxFew, maxParagraph)
}

func (e Education) validate(faults *fault.List, at string) {
	format.Required(faults, at+".school", e.School, maxLine)
	faults.Text(at+".degree", e.Degree, maxLine)
	faults.Text(at+".field_of_study", e.FieldOfStudy, maxLine)
	format.Period(faults, at+".start_date", e.StartDate, at+".end_date", e.EndDate)
	faults.Text(at+".description", e.Description, maxParagraph)
}

func (e Certification) validate(faults *fault.List, at string) {
	format.Required(faults, at+".name", e.Name, maxLine)
	format.Required(faults, at+".issuer", e.Issuer, maxLine)
	format.Period(faults, at+".issue_date", e.IssueDate, at+".expiration_date", e.ExpirationDate)
	format.Link(faults, at+".credential_url", e.CredentialURL)
}

func (p Project) validate(faults *fault.List, at string) {
	format.Required(faults, at+".title", p.Title, maxLine)
	faults.Text(at+".description", p.Description, maxParagraph)
	format.Link(faults, at+".image", p.Image)
	format.Link(faults, at+".link", p.Link)
	validateTexts(faults, at+".technologies", p.Technologies, maxFew, maxLine)
}

// validateSocials validates links keyed by platform. A phone number among the links is private
// (package projection) and is validated as text, not as a link.
func validateSocials(faults *fault.List, path string, socials map[string]string) {
	if !faults.Count(path, len(socials), maxSocials) {
		return
	}
	for _, platform := range slices.Sorted(maps.Keys(socials)) { // for a deterministic first fault
		if !faults.Text(path, platform, maxPlatform) {
			continue
		}
		if isBlank(platform) {
			faults.Add(path, "must name a platform for each link")
			continue
		}
		at := fmt.Sprintf("%s[%q]", path, platform)
		if strings.EqualFold(strings.TrimSpace(platform), "phone") {
			faults.Text(at, socials[platform], maxPhone)
		} else {
			format.Link(faults, at, socials[platform])
		}
	}
}

func validateTexts(faults *fault.List, path string, list []string, maxCount, maxLength int) {
	each(faults, path, list, maxCount, func(at, s string) { faults.Text(at, s, maxLength) })
}

func validateIDs[T any](faults *fault.List, path string, list []T, idOf func(T) string) {
	seen := map[string]bool{}
	for i, item := range list {
		id, at := idOf(item), fmt.Sprintf("%s[%d].id", path, i)
		format.Handle(faults, at, id, maxItemID)
		if id != "" && seen[id] {
			faults.Add(at, "must be unique in its list")
		}
		seen[id] = true
	}
}

// validateSize limits the stored form. It skips content with other faults.
func validateSize(faults *fault.List, path string, c Content) {
	if faults.Has(path) {
		return
	}
	raw, err := Encode(c)
	if err != nil || len(raw) > MaxBytes {
		faults.Add(path, "must be at most %d bytes long in all", MaxBytes)
	}
}

// each validates the number of items and each item. It skips items above the limit, since a
// request can contain hundreds of thousands.
func each[T any](faults *fault.List, path string, list []T, limit int, check func(at string, item T)) {
	faults.Count(path, len(list), limit)
	for i, item := range list[:min(len(list), limit)] {
		check(fmt.Sprintf("%s[%d]", path, i), item)
	}
}
