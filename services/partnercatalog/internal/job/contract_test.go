package job

import (
	"testing"

	"vitae.internal/pkg/errs"
)

func TestPublishContractAppliesToLiveJobs(t *testing.T) {
	question := func(q Question) func(*Input) {
		return func(in *Input) { in.Questions = append(in.Questions, q) }
	}
	choice := func(options ...string) func(*Input) {
		return question(Question{Prompt: "Which?", Type: MultipleChoice, Options: options})
	}
	salary := func(min, max *float64) func(*Input) {
		return func(in *Input) { in.Compensation.Min, in.Compensation.Max = min, max }
	}
	for name, tc := range map[string]struct {
		change func(*Input)
		field  string // empty if the job may be live
	}{
		"complete":                        {func(*Input) {}, ""},
		"no title":                        {func(in *Input) { in.Basics.Title = "" }, "basics.title"},
		"blank title":                     {func(in *Input) { in.Basics.Title = " \t\u200b" }, "basics.title"},
		"no country":                      {func(in *Input) { in.Basics.Country = "" }, "basics.country"},
		"blank country":                   {func(in *Input) { in.Basics.Country = "\u00a0" }, "basics.country"},
		"no city":                         {func(in *Input) { in.Basics.City = "" }, "basics.city"},
		"onsite without a place":          {func(in *Input) { in.Basics.WorkMode, in.Basics.Country, in.Basics.City = "onsite", "", "" }, "basics.country"},
		"remote without a place":          {func(in *Input) { in.Basics.WorkMode, in.Basics.Country, in.Basics.City = "remote", "", "" }, ""},
		"no department":                   {func(in *Input) { in.Basics.Department = "" }, ""},
		"no summary":                      {func(in *Input) { in.Content.Summary = "" }, "content.summary"},
		"blank summary":                   {func(in *Input) { in.Content.Summary = "\n" }, "content.summary"},
		"no responsibility":               {func(in *Input) { in.Content.Responsibilities = nil }, "content.responsibilities"},
		"a blank responsibility":          {func(in *Input) { in.Content.Responsibilities = []string{"Design", " "} }, "content.responsibilities[1]"},
		"no requirement":                  {func(in *Input) { in.Content.Requirements = []string{} }, "content.requirements"},
		"a blank requirement":             {func(in *Input) { in.Content.Requirements = []string{""} }, "content.requirements[0]"},
		"no nice_to_have or benefits":     {func(in *Input) { in.Content.NiceToHave, in.Content.Benefits = nil, nil }, ""},
		"no compensation":                 {func(in *Input) { in.Compensation = nil }, ""},
		"neither min nor max":             {salary(nil, nil), "compensation.min"},
		"only min":                        {salary(ptr(1.0), nil), ""},
		"only max":                        {salary(nil, ptr(1.0)), ""},
		"min equals max":                  {salary(ptr(1.5), ptr(1.5)), ""},
		"zero":                            {salary(ptr(0.0), ptr(0.0)), ""},
		"min above max":                   {salary(ptr(2.0), ptr(1.0)), "compensation.max"},
		"negative min":                    {salary(ptr(-0.01), ptr(1.0)), "compensation.min"},
		"negative max":                    {salary(nil, ptr(-1.0)), "compensation.max"},
		"programme not acknowledged":      {func(in *Input) { in.Programme.Acknowledged = false }, "workforce_programme.acknowledged"},
		"no programme to acknowledge":     {func(in *Input) { in.Programme = &WorkforceProgramme{Value: NoProgramme} }, ""},
		"no programme section":            {func(in *Input) { in.Programme = nil }, ""},
		"no questions":                    {func(in *Input) { in.Questions = nil }, ""},
		"question without a prompt":       {question(Question{Type: "number"}), "questions[3].prompt"},
		"question with a blank prompt":    {question(Question{Type: "number", Prompt: " "}), "questions[3].prompt"},
		"choice without options":          {choice(), "questions[3].options"},
		"one option":                      {choice("A"), "questions[3].options"},
		"the same option twice":           {choice("A", " A"), "questions[3].options"},
		"a blank option":                  {choice("A", "", "B"), "questions[3].options[1]"},
		"two options":                     {choice("A", "B"), ""},
		"question with a duplicate id":    {question(Question{ID: "q1", Prompt: "P", Type: "number"}), "questions[3].id"},
		"ids that differ in case":         {question(Question{ID: "Q1", Prompt: "P", Type: "number"}), ""},
		"questions without ids":           {func(in *Input) { in.Questions[0].ID, in.Questions[1].ID = "", "" }, ""},
		"question with a duplicate order": {question(Question{Prompt: "P", Type: "number", Order: ptr[int32](2)}), "questions[3].order"},
		"question with a unique order":    {question(Question{Prompt: "P", Type: "number", Order: ptr[int32](-1)}), ""},
		"questions without order":         {func(in *Input) { in.Questions[0].Order, in.Questions[1].Order = nil, nil }, ""},
		"no eligibility":                  {func(in *Input) { in.Eligibility = nil }, ""},
		"confidential":                    {func(in *Input) { in.Confidential.Enabled = true }, ""},
		"several faults, title first":     {func(in *Input) { in.Basics.Title, in.Content.Summary, in.Compensation.Max = "", "", ptr(-1.0) }, "basics.title"},
	} {
		in := complete()
		tc.change(&in)
		wants(t, name+", live", check(in, "live"), errs.Precondition, tc.field)
		for _, saveAs := range []string{"", "draft"} {
			wants(t, name+", draft", check(in, saveAs), errs.Precondition, "")
		}
	}
}

func TestCurrenciesAreCurrentISO4217Codes(t *testing.T) {
	if len(currencies) != 155 {
		t.Errorf("%d codes, want 155", len(currencies))
	}
	for _, code := range []string{"AED", "USD", "EUR", "JPY", "XCG", "ZWG", "SLE", "VED", "VES", "STN", "XOF", "XAF", "XPF", "XCD", "CHF", "UYU"} {
		if !isCurrency(code) {
			t.Errorf("isCurrency(%s) = false", code)
		}
	}
	for _, code := range []string{
		"", "aed", "AE", "AEDD", " AED", "DEM", "HRK", "BGN", "ANG", "SLL", "ZWL", "CUC", "BYR", "VEF", "STD", "MRO",
		"XAU", "XAG", "XPT", "XPD", "XDR", "XSU", "XUA", "XAD", "XBA", "BOV", "CHE", "CHW", "CLF", "COU", "MXV", "USN", "UYI", "UYW", "XTS", "XXX", "BTC",
	} {
		if isCurrency(code) {
			t.Errorf("isCurrency(%s) = true", code)
		}
	}
}

func TestWithdrawnCurrenciesAreNotCurrent(t *testing.T) {
	for code := range withdrawn {
		if isCurrency(code) {
			t.Errorf("%s is both withdrawn and current", code)
		}
	}
}

func TestSalaryOmitsUnknownCurrencies(t *testing.T) {
	for currency, shown := range map[string]bool{
		"AED": true, "HRK": true, "": false, "aed": false, "XXX": false, "XTS": false, "XAU": false, "DEM": false, "dirhams": false,
	} {
		j := in(Draft)
		j.Compensation.Currency = currency
		if got := j.Salary(); (got != nil) != shown {
			t.Errorf("%q: Salary returned %+v", currency, got)
		}
		if currency == "AED" {
			continue
		}
		wants(t, currency, j.publish(start), errs.Precondition, "compensation.currency")
	}
	if got := (Sections{}).Salary(); got != nil {
		t.Errorf("without compensation: Salary returned %+v", got)
	}
}
