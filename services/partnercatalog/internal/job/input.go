package job

import (
	"strings"

	"vitae.internal/pkg/fault"
)

// Section names a part of a job that requests replace as a whole
// (behaviour: jobs#sections-are-replaced). Its value is the name in the .proto file.
type Section string

// Sections of a job (behaviour: jobs#create-body).
const (
	SectionBasics       Section = "basics"
	SectionContent      Section = "content"
	SectionCompensation Section = "compensation"
	SectionEligibility  Section = "eligibility"
	SectionProgramme    Section = "workforce_programme"
	SectionQuestions    Section = "questions"
	SectionDistribution Section = "distribution"
	SectionConfidential Section = "confidential"
)

// order lists the sections in the order of the create body. Sections are checked, and errors are
// reported, in this order (behaviour: errors#which-fault-is-reported).
var order = []Section{
	SectionBasics, SectionContent, SectionCompensation, SectionEligibility,
	SectionProgramme, SectionQuestions, SectionDistribution, SectionConfidential,
}

// Input holds the sections of a request. A section that the request does not contain is nil or
// empty.
type Input struct {
	Basics       *Basics
	Content      *Content
	Compensation *Compensation
	Eligibility  *Eligibility
	Programme    *WorkforceProgramme
	Questions    []Question
	Distribution Distribution
	Confidential *Confidentiality
}

// has reports whether the input contains the section. It always contains questions, because an
// empty list is valid.
func (in Input) has(s Section) bool {
	switch s {
	case SectionBasics:
		return in.Basics != nil
	case SectionContent:
		return in.Content != nil
	case SectionCompensation:
		return in.Compensation != nil
	case SectionEligibility:
		return in.Eligibility != nil
	case SectionProgramme:
		return in.Programme != nil
	case SectionDistribution:
		return in.Distribution != ""
	case SectionConfidential:
		return in.Confidential != nil
	}
	return true
}

// sent returns the sections to check in a request for a new job, including required ones that are
// missing.
func (in Input) sent() []Section {
	sent := []Section{SectionBasics, SectionContent, SectionDistribution}
	for _, s := range order {
		if in.has(s) {
			sent = append(sent, s)
		}
	}
	return sent
}

// ParseSections converts the paths of an update mask to sections. It returns
// PUBLIC_API_VALIDATION_ERROR for update_mask if a path is not a section.
func ParseSections(paths []string) ([]Section, error) {
	sections := make([]Section, len(paths))
	for i, path := range paths {
		sections[i] = Section(path)
		if _, ok := shapes[sections[i]]; !ok {
			return nil, fault.Of(fault.CodeValidation, "update_mask", "must name sections of a job")
		}
	}
	return sections, nil
}

// tidied returns the input in the form in which it is stored: names are trimmed, the currency is in
// upper case, and other text is unchanged (behaviour: requests#stored-text).
func (in Input) tidied() Input {
	if in.Basics != nil {
		b := *in.Basics
		b.Title, b.Department = strings.TrimSpace(b.Title), strings.TrimSpace(b.Department)
		b.Country, b.City = strings.TrimSpace(b.Country), strings.TrimSpace(b.City)
		in.Basics = &b
	}
	if in.Compensation != nil {
		c := *in.Compensation
		c.Min, c.Max = withoutSignOfZero(c.Min), withoutSignOfZero(c.Max)
		c.Currency = CurrencyCode(c.Currency)
		in.Compensation = &c
	}
	if in.Confidential != nil {
		c := *in.Confidential
		c.PublicLabel = strings.TrimSpace(c.PublicLabel)
		in.Confidential = &c
	}
	return in
}

// withoutSignOfZero converts -0 to 0, because JSON would show the sign.
func withoutSignOfZero(n *float64) *float64 {
	if n == nil || *n != 0 {
		return n
	}
	return new(float64)
}

// replace copies the given sections of a validated input to s.
func (s *Sections) replace(in Input, sections []Section) {
	wanted := s.Distribution
	if s.masked() {
		wanted = s.UnmaskedDistribution
	}
	for _, section := range sections {
		switch section {
		case SectionBasics:
			s.Basics = *in.Basics
		case SectionContent:
			s.Content = *in.Content
		case SectionCompensation:
			s.Compensation = in.Compensation
		case SectionEligibility:
			s.Eligibility = in.Eligibility.whole()
		case SectionProgramme:
			s.Programme = in.Programme
		case SectionQuestions:
			s.Questions = identified(in.Questions, s.Questions)
		case SectionDistribution:
			wanted = in.Distribution
		case SectionConfidential:
			s.Confidential = in.Confidential
		}
	}
	s.list(wanted)
}

// list determines where the job is listed. A confidential job is never listed on the employer's
// page (behaviour: jobs#confidential-jobs). wanted is the employer's choice, or "" if none is
// stored.
func (s *Sections) list(wanted Distribution) {
	switch {
	case s.masked():
		s.Distribution, s.UnmaskedDistribution = TabbioOnly, wanted
	case wanted == "":
		s.Distribution, s.UnmaskedDistribution = TabbioOnly, ""
	default:
		s.Distribution, s.UnmaskedDistribution = wanted, ""
	}
}

// whole returns a copy of e in which missing rules are "any". It returns nil if no rule is set
// (behaviour: jobs#eligibility).
func (e *Eligibility) whole() *Eligibility {
	if e == nil || *e == (Eligibility{}) {
		return nil
	}
	whole := *e
	for _, rule := range []*string{&whole.CandidateLocation, &whole.ExperienceYears, &whole.Language, &whole.WorkEligibility} {
		if *rule == "" {
			*rule = anyone
		}
	}
	return &whole
}
