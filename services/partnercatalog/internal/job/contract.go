package job

import (
	"fmt"
	"strings"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
)

// contract collects the violations of the publish contract, which prevent a job from being live
// (behaviour: jobs#publish-contract).
type contract struct {
	broken *fault.List
	// shape contains the shape errors of the request. It is nil for a stored job. The contract
	// skips fields that have a shape error.
	shape *fault.List
}

// fail records a violation unless the field already has an error.
func (c contract) fail(path, rule string, args ...any) {
	if !c.shape.Covers(path) {
		c.broken.Add(path, rule, args...)
	}
}

func (c contract) notBlank(path, s string) {
	if !c.shape.Covers(path) {
		c.broken.NotBlank(path, s)
	}
}

// checkContract returns a FAILED_PRECONDITION error with all violations of the publish contract, in
// the order of the request, or nil if the job may be live. shape contains the shape errors of the
// request; it is nil for a stored job.
func (s Sections) checkContract(shape *fault.List) error {
	c := contract{broken: fault.New(errs.Precondition, fault.CodeValidation), shape: shape}
	c.basics(string(SectionBasics), s.Basics)
	c.content(string(SectionContent), s.Content)
	if s.Compensation != nil {
		c.compensation(string(SectionCompensation), *s.Compensation)
	}
	if p := s.Programme; p != nil && p.Value != NoProgramme && !shape.Covers(string(SectionProgramme)+".value") && !p.Acknowledged {
		c.fail(string(SectionProgramme)+".acknowledged", "must be true to take part in a programme")
	}
	c.questions(string(SectionQuestions), s.Questions)
	return c.broken.Err()
}

func (c contract) basics(path string, b Basics) {
	c.notBlank(path+".title", b.Title)
	// Without a valid work mode, it is unknown whether the job needs a country and a city.
	if b.WorkMode != Remote && !c.shape.Covers(path+".work_mode") {
		c.notBlank(path+".country", b.Country)
		c.notBlank(path+".city", b.City)
	}
}

func (c contract) content(path string, content Content) {
	c.notBlank(path+".summary", content.Summary)
	c.someAndNoneBlank(path+".responsibilities", content.Responsibilities)
	c.someAndNoneBlank(path+".requirements", content.Requirements)
}

func (c contract) someAndNoneBlank(path string, list []string) {
	if c.shape.Covers(path) {
		return
	}
	if len(list) == 0 {
		c.fail(path, "must have at least one item")
	}
	for i, s := range list {
		c.notBlank(fmt.Sprintf("%s[%d]", path, i), s)
	}
}

func (c contract) compensation(path string, pay Compensation) {
	if pay.Min == nil && pay.Max == nil {
		c.fail(path+".min", "is required when there is no max")
	}
	c.notNegative(path+".min", pay.Min)
	c.notNegative(path+".max", pay.Max)
	if pay.Min != nil && pay.Max != nil && *pay.Min > *pay.Max && !c.shape.Covers(path+".min") {
		c.fail(path+".max", "must not be less than min")
	}
	if !isCurrency(pay.Currency) {
		c.fail(path+".currency", "must be a current ISO 4217 code")
	}
}

func (c contract) notNegative(path string, n *float64) {
	if n != nil && *n < 0 {
		c.fail(path, "must not be negative")
	}
}

func (c contract) questions(path string, questions []Question) {
	ids, orders := map[string]bool{}, map[int32]bool{}
	for i, q := range questions {
		at := fmt.Sprintf("%s[%d]", path, i)
		if ids[q.ID] {
			c.fail(at+".id", "must be unique among the questions")
		}
		ids[q.ID] = true
		c.notBlank(at+".prompt", q.Prompt)
		if q.Order != nil {
			if orders[*q.Order] {
				c.fail(at+".order", "must be unique among the questions")
			}
			orders[*q.Order] = true
		}
		if q.Type == MultipleChoice {
			c.options(at+".options", q.Options)
		}
	}
}

func (c contract) options(path string, options []string) {
	if c.shape.Covers(path) {
		return
	}
	distinct := map[string]bool{}
	for i, option := range options {
		c.notBlank(fmt.Sprintf("%s[%d]", path, i), option)
		distinct[strings.TrimSpace(option)] = true
	}
	if len(distinct) < 2 {
		c.fail(path, "must have two or more distinct options")
	}
}
