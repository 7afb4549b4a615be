package cv

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"vitae.internal/pkg/fault"
	"vitae.internal/services/candidate/internal/format"
)

// Limits on the content. Lengths are in characters unless the name says bytes.
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
	// MaxBytes is the maximum size of the stored form.
	MaxBytes = 512 << 10
)

// Validate checks every field of c, whose path is path, and adds any errors to faults.
func Validate(c *Content, faults *fault.List, path string) {
	faults.Text(path+".summary", c.GetSummary(), maxParagraph)
	faults.Text(path+".bio", c.GetBio(), maxParagraph)
	faults.Text(path+".about", c.GetAbout(), maxParagraph)
	faults.Text(path+".location", c.GetLocation(), maxLine)
	validateSocials(faults, path+".socials", c.GetSocials())
	validateTexts(faults, path+".languages", c.GetLanguages(), maxFew, maxLine)
	validateTexts(faults, path+".skills", c.GetSkills(), maxSkills, maxLine)
	validateTexts(faults, path+".interests", c.GetInterests(), maxFew, maxLine)
	validateSections(c, faults, path)
	validateSize(c, faults, path)
}

func validateSections(c *Content, faults *fault.List, path string) {
	each(faults, path+".skill_groups", c.GetSkillGroups(), maxFew, func(at string, g *SkillGroup) {
		format.Required(faults, at+".category", g.GetCategory(), maxLine)
		validateTexts(faults, at+".items", g.GetItems(), maxSkills, maxLine)
	})
	each(faults, path+".highlights", c.GetHighlights(), maxFew, func(at string, h *Highlight) {
		format.Required(faults, at+".title", h.GetTitle(), maxLine)
		faults.Text(at+".desc", h.GetDesc(), maxParagraph)
	})
	each(faults, path+".experiences", c.GetExperiences(), maxItems, func(at string, e *Experience) { validateExperience(e, faults, at) })
	each(faults, path+".educations", c.GetEducations(), maxFew, func(at string, e *Education) {
		format.Required(faults, at+".school", e.GetSchool(), maxLine)
		faults.Text(at+".degree", e.GetDegree().GetValue(), maxLine)
		faults.Text(at+".field_of_study", e.GetFieldOfStudy().GetValue(), maxLine)
		format.Period(faults, at+".start_date", e.GetStartDate().GetValue(), at+".end_date", e.GetEndDate().GetValue())
		faults.Text(at+".description", e.GetDescription().GetValue(), maxParagraph)
	})
	each(faults, path+".certifications", c.GetCertifications(), maxItems, func(at string, e *Certification) {
		format.Required(faults, at+".name", e.GetName(), maxLine)
		format.Required(faults, at+".issuer", e.GetIssuer(), maxLine)
		format.Period(faults, at+".issue_date", e.GetIssueDate().GetValue(), at+".expiration_date", e.GetExpirationDate().GetValue())
		format.Link(faults, at+".credential_url", e.GetCredentialUrl().GetValue())
	})
	each(faults, path+".projects", c.GetProjects(), maxItems, func(at string, p *Project) {
		format.Required(faults, at+".title", p.GetTitle(), maxLine)
		faults.Text(at+".description", p.GetDescription().GetValue(), maxParagraph)
		format.Link(faults, at+".image", p.GetImage().GetValue())
		format.Link(faults, at+".link", p.GetLink().GetValue())
		validateTexts(faults, at+".technologies", p.GetTechnologies(), maxFew, maxLine)
	})

	validateIDs(faults, path+".highlights", c.GetHighlights())
	validateIDs(faults, path+".experiences", c.GetExperiences())
	validateIDs(faults, path+".educations", c.GetEducations())
	validateIDs(faults, path+".certifications", c.GetCertifications())
	validateIDs(faults, path+".projects", c.GetProjects())
}

func validateExperience(e *Experience, faults *fault.List, at string) {
	format.Required(faults, at+".title", e.GetTitle(), maxLine)
	format.Required(faults, at+".company", e.GetCompany(), maxLine)
	faults.Text(at+".location", e.GetLocation().GetValue(), maxLine)
	faults.Text(at+".location_type", e.GetLocationType().GetValue(), maxLine)
	faults.Text(at+".employment_type", e.GetEmploymentType().GetValue(), maxLine)
	start, end := e.GetStartDate().GetValue(), e.GetEndDate().GetValue()
	if e.GetCurrent() {
		// The end date of a current position is not shown, so it may be before the start date, but it must
		// still be a date.
		format.Date(faults, at+".start_date", start)
		format.Date(faults, at+".end_date", end)
	} else {
		format.Period(faults, at+".start_date", start, at+".end_date", end)
	}
	faults.Text(at+".overview", e.GetOverview().GetValue(), maxParagraph)
	validateTexts(faults, at+".bullets", e.GetBullets(), maxFew, maxParagraph)
}

// validateSocials validates links, which are keyed by platform. A phone number among the links is private
// (see package projection), and is validated as text rather than as a link.
func validateSocials(faults *fault.List, path string, socials map[string]string) {
	if !faults.Count(path, len(socials), maxSocials) {
		return
	}
	for _, platform := range slices.Sorted(maps.Keys(socials)) { // makes the first error deterministic
		if !faults.Text(path, platform, maxPlatform) {
			continue
		}
		if IsBlank(platform) {
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

func validateIDs[T interface{ GetId() string }](faults *fault.List, path string, list []T) {
	seen := map[string]bool{}
	for i, item := range list {
		id, at := item.GetId(), fmt.Sprintf("%s[%d].id", path, i)
		format.Handle(faults, at, id, maxItemID)
		if id != "" && seen[id] {
			faults.Add(at, "must be unique in its list")
		}
		seen[id] = true
	}
}

// validateSize checks the size of the stored form. It skips content that has other errors.
func validateSize(c *Content, faults *fault.List, path string) {
	if faults.Has(path) {
		return
	}
	raw, err := Encode(c)
	if err != nil || len(raw) > MaxBytes {
		faults.Add(path, "must be at most %d bytes long in all", MaxBytes)
	}
}

// each validates the number of items, and each item. It skips items above the limit, because a request can
// contain hundreds of thousands of them.
func each[T any](faults *fault.List, path string, list []T, limit int, check func(at string, item T)) {
	faults.Count(path, len(list), limit)
	for i, item := range list[:min(len(list), limit)] {
		check(fmt.Sprintf("%s[%d]", path, i), item)
	}
}
