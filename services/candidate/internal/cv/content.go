package cv

import (
	"strings"

	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
)

// Content holds the sections of a stored CV. Its items are in the order in which they were entered.
type Content = candidatev1.CvContent

// These are the types of the items in the sections.
type (
	SkillGroup    = cvv1.SkillGroup
	Highlight     = cvv1.Highlight
	Experience    = cvv1.Experience
	Education     = cvv1.Education
	Certification = cvv1.Certification
	Project       = cvv1.Project
)

// HasCV reports whether c has enough content to count as a CV (behaviour: sharing#the-main-cv). A location,
// links, or text that a shared CV does not show are not enough.
func HasCV(c *Content) bool {
	return !IsBlank(c.GetSummary()) || !IsBlank(c.GetBio()) ||
		len(FlatSkills(c)) > 0 || len(Filled(c.GetLanguages())) > 0 ||
		len(c.GetHighlights()) > 0 || len(c.GetExperiences()) > 0 || len(c.GetEducations()) > 0 ||
		len(c.GetCertifications()) > 0 || len(c.GetProjects()) > 0
}

// FlatSkills returns the individual skills and the skills in all groups, in the order in which they first
// appear. It omits duplicates, ignoring case.
func FlatSkills(c *Content) []string {
	seen := map[string]bool{}
	var flat []string
	add := func(skills []string) {
		for _, s := range Filled(skills) {
			if key := strings.ToLower(strings.TrimSpace(s)); !seen[key] {
				seen[key] = true
				flat = append(flat, s)
			}
		}
	}
	add(c.GetSkills())
	for _, g := range c.GetSkillGroups() {
		add(g.GetItems())
	}
	return flat
}

// Filled returns the strings in list that are not blank.
func Filled(list []string) []string {
	var filled []string
	for _, s := range list {
		if !IsBlank(s) {
			filled = append(filled, s)
		}
	}
	return filled
}

// IsBlank reports whether s is empty or consists only of white space.
func IsBlank(s string) bool { return strings.TrimSpace(s) == "" }
