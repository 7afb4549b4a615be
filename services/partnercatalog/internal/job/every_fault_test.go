package job

import (
	"errors"
	"math"
	"slices"
	"testing"

	"vitae.internal/pkg/errs"
)

// fields returns the invalid fields in an error, and the kind of the error.
func fields(err error) (list []string, kind errs.Kind) {
	var e *errs.Error
	if !errors.As(err, &e) {
		return nil, 0
	}
	for _, v := range e.Violations {
		list = append(list, v.Field)
	}
	return list, e.Kind
}

func TestEveryFaultIsReportedShapeFirst(t *testing.T) {
	for name, tc := range map[string]struct {
		change func(*Input)
		kind   errs.Kind
		want   []string
	}{
		"only shape": {func(in *Input) {
			in.Basics.Title, in.Basics.Seniority = long(201), "?"
			in.Content.Benefits = []string{"a", long(2001), "a\x00"}
			in.Questions[0].Type, in.Questions[1].DefaultKey = "", "?"
			in.Distribution, in.Confidential.PublicLabel = "", "a\nb"
		}, errs.Invalid, []string{
			"basics.title", "basics.seniority", "content.benefits[1]", "content.benefits[2]",
			"questions[0].type", "questions[1].default_key", "distribution", "confidential.public_label",
		}},
		"only contract": {func(in *Input) {
			in.Basics.Title, in.Basics.City, in.Content.Summary, in.Content.Responsibilities = "", " ", "", nil
			in.Content.Requirements = []string{"", "a", " "}
			in.Compensation.Min, in.Compensation.Max = nil, ptr(-1.0)
			in.Programme.Acknowledged = false
			in.Questions[1] = Question{ID: "q1", Type: MultipleChoice, Order: ptr[int32](1), Options: []string{"", "A"}}
		}, errs.Precondition, []string{
			"basics.title", "basics.city", "content.summary", "content.responsibilities", "content.requirements[0]", "content.requirements[2]",
			"compensation.max", "workforce_programme.acknowledged",
			"questions[1].id", "questions[1].prompt", "questions[1].order", "questions[1].options[0]",
		}},
		"both": {func(in *Input) {
			in.Basics.Title, in.Basics.Department, in.Compensation.Period, in.Content.Summary = "", long(201), "", ""
		}, errs.Invalid, []string{"basics.department", "compensation.period", "basics.title", "content.summary"}},
		"both in one field": {func(in *Input) {
			in.Compensation.Min, in.Compensation.Max = ptr(-1e13), ptr(-1.0)
		}, errs.Invalid, []string{"compensation.min", "compensation.max"}},
		"an infinite limit": {func(in *Input) {
			in.Compensation.Min, in.Compensation.Max = ptr(math.Inf(1)), ptr(1.0)
		}, errs.Invalid, []string{"compensation.min"}},
		"unknown work mode, no place": {func(in *Input) {
			in.Basics.WorkMode, in.Basics.Country, in.Basics.City, in.Basics.Title = "?", "", "", ""
		}, errs.Invalid, []string{"basics.work_mode", "basics.title"}},
		"unknown programme": {func(in *Input) {
			in.Programme.Value, in.Programme.Acknowledged, in.Content.Summary = "?", false, ""
		}, errs.Invalid, []string{"workforce_programme.value", "content.summary"}},
		"options of an unknown type": {func(in *Input) {
			in.Questions[1].Type, in.Questions[2].Prompt = "?", " "
		}, errs.Invalid, []string{"questions[1].type", "questions[2].prompt"}},
		"lists that are too long": {func(in *Input) {
			in.Content.Requirements, in.Questions[1].Options = lines(101, ""), lines(101, "")
			in.Questions[2].Prompt = ""
		}, errs.Invalid, []string{"content.requirements", "questions[1].options", "questions[2].prompt"}},
		"missing sections": {func(in *Input) {
			in.Basics, in.Content, in.Compensation.Currency = nil, nil, "XXX"
		}, errs.Invalid, []string{"basics", "content", "compensation.currency"}},
		"a section that is too large": {func(in *Input) {
			*in.Content = Content{Summary: "a", Benefits: lines(24, long(1000))}
			in.Basics.Title = ""
		}, errs.Invalid, []string{"content", "basics.title"}},
	} {
		in := complete()
		tc.change(&in)
		if got, kind := fields(check(in, "live")); !slices.Equal(got, tc.want) || kind != tc.kind {
			t.Errorf("%s: kind %v\n%q, want\n%q", name, kind, got, tc.want)
		}
	}
	in := complete()
	in.Basics.Title, in.Distribution = "", ""
	if got, _ := fields(check(in, "closed")); !slices.Equal(got, []string{"save_as", "distribution"}) {
		t.Errorf("unknown save_as: %q", got)
	}
	if got, _ := fields(check(in, "draft")); !slices.Equal(got, []string{"distribution"}) {
		t.Errorf("draft: %q", got)
	}
}

func TestLiveJobEditReportsEveryFault(t *testing.T) {
	j := in(Active)
	edit := Input{Basics: &Basics{WorkMode: "hybrid", Employment: "contract", Seniority: "lead"}, Content: &Content{}}
	got, kind := fields(j.edit(edit, []Section{SectionBasics, SectionContent}, start))
	want := []string{"basics.title", "basics.country", "basics.city", "content.summary", "content.responsibilities", "content.requirements"}
	if !slices.Equal(got, want) || kind != errs.Precondition {
		t.Errorf("kind %v, %q, want %q", kind, got, want)
	}
}
