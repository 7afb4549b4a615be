package job

import (
	"fmt"
	"strings"

	"vitae.internal/pkg/errs"
)

// checkContract says whether a job may be live: the publish contract (decision
// 29). It names the first field that breaks it, in the order of the request.
// Shape is taken for granted.
func (s Sections) checkContract() error {
	f := newFaults(errs.Precondition)
	s.Basics.contract(f, string(SectionBasics))
	s.Content.contract(f, string(SectionContent))
	if s.Compensation != nil {
		s.Compensation.contract(f, string(SectionCompensation))
	}
	if p := s.Programme; p != nil && p.Value != NoProgramme && !p.Acknowledged {
		f.Fail(string(SectionProgramme)+".acknowledged", "must be true to take part in a programme")
	}
	contractOfQuestions(f, string(SectionQuestions), s.Questions)
	return f.Err()
}

func (b Basics) contract(f *faults, path string) {
	f.NotBlank(path+".title", b.Title)
	if b.WorkMode != Remote {
		f.NotBlank(path+".country", b.Country)
		f.NotBlank(path+".city", b.City)
	}
}

func (c Content) contract(f *faults, path string) {
	f.NotBlank(path+".summary", c.Summary)
	someAndNoneBlank(f, path+".responsibilities", c.Responsibilities)
	someAndNoneBlank(f, path+".requirements", c.Requirements)
}

func someAndNoneBlank(f *faults, path string, list []string) {
	if len(list) == 0 {
		f.Fail(path, "must have at least one item")
	}
	for i, s := range list {
		f.NotBlank(fmt.Sprintf("%s[%d]", path, i), s)
	}
}

func (c Compensation) contract(f *faults, path string) {
	if c.Min == nil && c.Max == nil {
		f.Fail(path+".min", "is required when there is no max")
	}
	notNegative(f, path+".min", c.Min)
	notNegative(f, path+".max", c.Max)
	if c.Min != nil && c.Max != nil && *c.Min > *c.Max {
		f.Fail(path+".max", "must not be less than min")
	}
	if !isCurrency(c.Currency) {
		f.Fail(path+".currency", "must be a current ISO 4217 code")
	}
}

func notNegative(f *faults, path string, n *float64) {
	if n != nil && *n < 0 {
		f.Fail(path, "must not be negative")
	}
}

func contractOfQuestions(f *faults, path string, questions []Question) {
	ids, orders := map[string]bool{}, map[int32]bool{}
	for i, q := range questions {
		at := fmt.Sprintf("%s[%d]", path, i)
		if ids[q.ID] {
			f.Fail(at+".id", "must be unique among the questions")
		}
		ids[q.ID] = true
		f.NotBlank(at+".prompt", q.Prompt)
		if q.Order != nil {
			if orders[*q.Order] {
				f.Fail(at+".order", "must be unique among the questions")
			}
			orders[*q.Order] = true
		}
		if q.Type == MultipleChoice {
			contractOfOptions(f, at+".options", q.Options)
		}
	}
}

func contractOfOptions(f *faults, path string, options []string) {
	distinct := map[string]bool{}
	for i, option := range options {
		f.NotBlank(fmt.Sprintf("%s[%d]", path, i), option)
		distinct[strings.TrimSpace(option)] = true
	}
	if len(distinct) < 2 {
		f.Fail(path, "must have two or more distinct options")
	}
}
