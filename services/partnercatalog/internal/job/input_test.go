package job

import (
	"math"
	"reflect"
	"testing"

	"vitae.internal/pkg/errs"
)

func TestUnmaskingRestoresDistribution(t *testing.T) {
	mask, unmask := Input{Confidential: &Confidentiality{Enabled: true}}, Input{Confidential: &Confidentiality{}}
	both := func(in Input, d Distribution) Input { in.Distribution = d; return in }
	hide := Input{Distribution: "hidden"}
	edit := func(t *testing.T, j *Job, in Input) {
		t.Helper()
		sections := []Section{SectionQuestions}
		if in.Confidential != nil {
			sections = append(sections, SectionConfidential)
		}
		if in.Distribution != "" {
			sections = append(sections, SectionDistribution)
		}
		if err := j.edit(in, sections, start); err != nil {
			t.Fatal(err)
		}
	}
	for name, tc := range map[string]struct {
		edits []Input
		want  Distribution
		// after is the distribution after confidentiality has been removed.
		after Distribution
	}{
		"never masked":           {[]Input{{}}, "tabbio_and_company", "tabbio_and_company"},
		"listed, never masked":   {[]Input{hide}, "hidden", "hidden"},
		"masked":                 {[]Input{mask}, TabbioOnly, "tabbio_and_company"},
		"masked and listed":      {[]Input{both(mask, "hidden")}, TabbioOnly, "hidden"},
		"listed while masked":    {[]Input{mask, hide}, TabbioOnly, "hidden"},
		"listed twice":           {[]Input{mask, hide, {Distribution: "company_page_only"}}, TabbioOnly, "company_page_only"},
		"edited while masked":    {[]Input{mask, hide, {}}, TabbioOnly, "hidden"},
		"masked twice":           {[]Input{mask, hide, mask}, TabbioOnly, "hidden"},
		"unmasked":               {[]Input{mask, unmask}, "tabbio_and_company", "tabbio_and_company"},
		"unmasked and listed":    {[]Input{mask, hide, both(unmask, TabbioOnly)}, TabbioOnly, TabbioOnly},
		"masked again":           {[]Input{mask, hide, unmask, mask}, TabbioOnly, "hidden"},
		"listed after unmasking": {[]Input{mask, unmask, hide, mask}, TabbioOnly, "hidden"},
	} {
		j := in(Active)
		for _, one := range tc.edits {
			edit(t, &j, one)
		}
		if j.Distribution != tc.want {
			t.Errorf("%s: %s, want %s", name, j.Distribution, tc.want)
		}
		edit(t, &j, unmask)
		if j.Distribution != tc.after || j.UnmaskedDistribution != "" {
			t.Errorf("%s, then unmasked: distribution %s, stored choice %q; want %s", name, j.Distribution, j.UnmaskedDistribution, tc.after)
		}
	}
}

func TestUnmaskingWithoutStoredDistribution(t *testing.T) {
	j := in(Active)
	j.Confidential, j.Distribution, j.UnmaskedDistribution = &Confidentiality{Enabled: true}, TabbioOnly, ""
	for _, edit := range []Input{{Questions: nil}, {Confidential: &Confidentiality{}}} {
		sections := []Section{SectionQuestions}
		if edit.Confidential != nil {
			sections = append(sections, SectionConfidential)
		}
		if err := j.edit(edit, sections, start); err != nil || j.Distribution != TabbioOnly || j.UnmaskedDistribution != "" {
			t.Errorf("%v; distribution %s, stored choice %q", err, j.Distribution, j.UnmaskedDistribution)
		}
	}
}

func TestMissingEligibilityRulesAreAny(t *testing.T) {
	for name, tc := range map[string]struct{ sent, want *Eligibility }{
		"nothing":  {nil, nil},
		"no rules": {&Eligibility{}, nil},
		"one":      {&Eligibility{Language: "arabic"}, &Eligibility{"any", "any", "arabic", "any"}},
		"any":      {&Eligibility{ExperienceYears: "any"}, &Eligibility{"any", "any", "any", "any"}},
		"all":      {&Eligibility{"uae", "1_plus", "english", "eligible"}, &Eligibility{"uae", "1_plus", "english", "eligible"}},
	} {
		if got := tc.sent.whole(); !reflect.DeepEqual(got, tc.want) {
			t.Errorf("%s: %+v, want %+v", name, got, tc.want)
		}
	}
}

func TestEditReplacesWholeSections(t *testing.T) {
	j := in(Active)
	want := in(Active)
	input := Input{
		Basics:  &Basics{Title: "T", WorkMode: Remote, Employment: "contract", Seniority: "lead"},
		Content: &Content{Summary: "S", Responsibilities: []string{"R"}, Requirements: []string{"Q"}},
	}
	sections := []Section{SectionContent, SectionBasics, SectionCompensation, SectionEligibility, SectionProgramme}
	if err := j.edit(input, sections, start); err != nil {
		t.Fatal(err)
	}
	want.Basics, want.Content, want.UpdatedAt = *input.Basics, *input.Content, j.UpdatedAt
	want.Compensation, want.Eligibility, want.Programme = nil, nil, nil
	if !reflect.DeepEqual(j, want) {
		t.Errorf("got %+v\nwant %+v", j, want)
	}
}

func TestMaskedSectionMustBeSent(t *testing.T) {
	for _, s := range order {
		want := string(s)
		switch s {
		case SectionCompensation, SectionEligibility, SectionProgramme, SectionQuestions: // missing sections are removed or emptied
			want = ""
		}
		f := newFaults()
		Input{}.shape(f, []Section{s})
		wants(t, string(s), f.Err(), errs.Invalid, want)
	}
}

func TestNamesAreTrimmedAndTextIsUnchanged(t *testing.T) {
	sent := complete()
	sent.Basics.Title, sent.Basics.Department = " Rocket  engineer\n", "\tResearch"
	sent.Basics.Country, sent.Basics.City = " UAE ", "\u00a0Dubai"
	sent.Content.Summary, sent.Content.Benefits = " Build\n\nrockets. ", []string{" A view "}
	sent.Questions[0].Prompt = " Why? "
	sent.Confidential.PublicLabel = " A space company "
	sent.Compensation.Min, sent.Compensation.Currency = ptr(math.Copysign(0, -1)), "aed"
	got := sent.tidied()
	want := complete()
	want.Basics.Title, want.Basics.Department, want.Basics.Country, want.Basics.City = "Rocket  engineer", "Research", "UAE", "Dubai"
	want.Content, want.Questions, want.Compensation.Min = sent.Content, sent.Questions, ptr(0.0)
	if !reflect.DeepEqual(got, want) || math.Signbit(*got.Compensation.Min) {
		t.Errorf("got %+v\nwant %+v", got, want)
	}
	if sent.Basics.Country != " UAE " {
		t.Error("the request was changed")
	}
}

func TestLocationJoinsCityAndCountry(t *testing.T) {
	for want, b := range map[string]Basics{
		"": {}, "Dubai": {City: "Dubai"}, "UAE": {Country: "UAE"}, "Dubai, UAE": {City: "Dubai", Country: "UAE"},
	} {
		if got := b.Location(); got != want {
			t.Errorf("%+v: location %q, want %q", b, got, want)
		}
	}
}

func TestQuestionsRoundTrip(t *testing.T) {
	for _, want := range [][]Question{nil, complete().Questions} {
		raw, err := EncodeQuestions(want)
		if err != nil {
			t.Fatal(err)
		}
		if got, err := DecodeQuestions(raw); err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, %v\nwant %+v", got, err, want)
		}
	}
	for _, raw := range []string{`{}`, `{"v":2,"items":[]}`, `[]`, ``} {
		if got, err := DecodeQuestions([]byte(raw)); err == nil {
			t.Errorf("DecodeQuestions(%s) = %+v, want an error", raw, got)
		}
	}
}
