package cv

import (
	"fmt"
	"sort"
	"strings"

	"vitae.internal/services/candidate/internal/validate"
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
	// MaxBytes bounds the stored form as a whole.
	MaxBytes = 512 << 10
)

// Validate checks every field of c, and reports to f under path.
func (c Content) Validate(f *validate.Fields, path string) {
	f.Text(path+".summary", c.Summary, maxParagraph)
	f.Text(path+".bio", c.Bio, maxParagraph)
	f.Text(path+".about", c.About, maxParagraph)
	f.Text(path+".location", c.Location, maxLine)
	validateSocials(f, path+".socials", c.Socials)
	validateTexts(f, path+".languages", c.Languages, maxFew, maxLine)
	validateTexts(f, path+".skills", c.Skills, maxSkills, maxLine)
	validateTexts(f, path+".interests", c.Interests, maxFew, maxLine)
	c.validateSections(f, path)
	validateSize(f, path, c)
}

func (c Content) validateSections(f *validate.Fields, path string) {
	each(f, path+".skill_groups", c.SkillGroups, maxFew, func(at string, g SkillGroup) {
		f.Required(at+".category", g.Category, maxLine)
		validateTexts(f, at+".items", g.Items, maxSkills, maxLine)
	})
	each(f, path+".highlights", c.Highlights, maxFew, func(at string, h Highlight) {
		f.Required(at+".title", h.Title, maxLine)
		f.Text(at+".desc", h.Description, maxParagraph)
	})
	each(f, path+".experiences", c.Experiences, maxItems, func(at string, e Experience) { e.validate(f, at) })
	each(f, path+".educations", c.Educations, maxFew, func(at string, e Education) { e.validate(f, at) })
	each(f, path+".certifications", c.Certifications, maxItems, func(at string, e Certification) { e.validate(f, at) })
	each(f, path+".projects", c.Projects, maxItems, func(at string, p Project) { p.validate(f, at) })

	validateIDs(f, path+".highlights", c.Highlights, func(h Highlight) string { return h.ID })
	validateIDs(f, path+".experiences", c.Experiences, func(e Experience) string { return e.ID })
	validateIDs(f, path+".educations", c.Educations, func(e Education) string { return e.ID })
	validateIDs(f, path+".certifications", c.Certifications, func(e Certification) string { return e.ID })
	validateIDs(f, path+".projects", c.Projects, func(p Project) string { return p.ID })
}

func (e Experience) validate(f *validate.Fields, at string) {
	f.Required(at+".title", e.Title, maxLine)
	f.Required(at+".company", e.Company, maxLine)
	f.Text(at+".location", e.Location, maxLine)
	f.Text(at+".location_type", e.LocationType, maxLine)
	f.Text(at+".employment_type", e.EmploymentType, maxLine)
	if e.Current {
		// The last day of a position held now is not shown, so it is no fault for it
		// to be before the first one; it must still be a date.
		f.Date(at+".start_date", e.StartDate)
		f.Date(at+".end_date", e.EndDate)
	} else {
		f.Period(at+".start_date", e.StartDate, at+".end_date", e.EndDate)
	}
	f.Text(at+".overview", e.Overview, maxParagraph)
	validateTexts(f, at+".bullets", e.Bullets, maxFew, maxParagraph)
}

func (e Education) validate(f *validate.Fields, at string) {
	f.Required(at+".school", e.School, maxLine)
	f.Text(at+".degree", e.Degree, maxLine)
	f.Text(at+".field_of_study", e.FieldOfStudy, maxLine)
	f.Period(at+".start_date", e.StartDate, at+".end_date", e.EndDate)
	f.Text(at+".description", e.Description, maxParagraph)
}

func (e Certification) validate(f *validate.Fields, at string) {
	f.Required(at+".name", e.Name, maxLine)
	f.Required(at+".issuer", e.Issuer, maxLine)
	f.Period(at+".issue_date", e.IssueDate, at+".expiration_date", e.ExpirationDate)
	f.Link(at+".credential_url", e.CredentialURL)
}

func (p Project) validate(f *validate.Fields, at string) {
	f.Required(at+".title", p.Title, maxLine)
	f.Text(at+".description", p.Description, maxParagraph)
	f.Link(at+".image", p.Image)
	f.Link(at+".link", p.Link)
	validateTexts(f, at+".technologies", p.Technologies, maxFew, maxLine)
}

// validateSocials takes links keyed by platform. A phone number has its own field
// in the profile, and a number kept here instead is private too (package
// projection), so it is taken as text.
func validateSocials(f *validate.Fields, path string, socials map[string]string) {
	f.Count(path, len(socials), maxSocials)
	platforms := make([]string, 0, len(socials))
	for platform := range socials {
		platforms = append(platforms, platform)
	}
	sort.Strings(platforms) // the first fault is the same each time
	for _, platform := range platforms {
		if !f.Text(path, platform, maxPlatform) {
			return
		}
		if isBlank(platform) {
			f.Fail(path, "must name a platform for each link")
			return
		}
		at := fmt.Sprintf("%s[%q]", path, platform)
		if strings.EqualFold(strings.TrimSpace(platform), "phone") {
			f.Text(at, socials[platform], maxPhone)
		} else {
			f.Link(at, socials[platform])
		}
	}
}

func validateTexts(f *validate.Fields, path string, list []string, maxCount, maxLength int) {
	each(f, path, list, maxCount, func(at, s string) { f.Text(at, s, maxLength) })
}

func validateIDs[T any](f *validate.Fields, path string, list []T, idOf func(T) string) {
	seen := map[string]bool{}
	for i, item := range list {
		id, at := idOf(item), fmt.Sprintf("%s[%d].id", path, i)
		f.Handle(at, id, maxItemID)
		if id != "" && seen[id] {
			f.Fail(at, "must be unique in its list")
		}
		seen[id] = true
	}
}

func validateSize(f *validate.Fields, path string, c Content) {
	if f.Err() != nil {
		return
	}
	raw, err := Encode(c)
	if err != nil || len(raw) > MaxBytes {
		f.Fail(path, "must be at most %d bytes long in all", MaxBytes)
	}
}

func each[T any](f *validate.Fields, path string, list []T, limit int, check func(at string, item T)) {
	f.Count(path, len(list), limit)
	for i, item := range list {
		check(fmt.Sprintf("%s[%d]", path, i), item)
	}
}
