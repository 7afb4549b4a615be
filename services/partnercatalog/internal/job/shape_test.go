package job

import (
	"fmt"
	"math"
	"strings"
	"testing"

	"vitae.internal/pkg/errs"
)

func long(n int) string { return strings.Repeat("é", n) }

func lines(n int, s string) []string {
	out := make([]string, n)
	for i := range out {
		out[i] = s
	}
	return out
}

func TestShapeAppliesToDraftsAndLiveJobs(t *testing.T) {
	basics := func(change func(*Basics)) func(*Input) { return func(in *Input) { change(in.Basics) } }
	content := func(change func(*Content)) func(*Input) { return func(in *Input) { change(in.Content) } }
	question := func(change func(*Question)) func(*Input) { return func(in *Input) { change(&in.Questions[1]) } }
	rules := func(change func(*Eligibility)) func(*Input) { return func(in *Input) { change(in.Eligibility) } }
	for name, tc := range map[string]struct {
		change func(*Input)
		field  string
	}{
		"no basics":             {func(in *Input) { in.Basics = nil }, "basics"},
		"longest title":         {basics(func(b *Basics) { b.Title = " " + long(200) + " " }), ""},
		"title too long":        {basics(func(b *Basics) { b.Title = long(201) }), "basics.title"},
		"title with NUL":        {basics(func(b *Basics) { b.Title = "a\x00" }), "basics.title"},
		"title not UTF-8":       {basics(func(b *Basics) { b.Title = "\xff" }), "basics.title"},
		"department too long":   {basics(func(b *Basics) { b.Department = long(201) }), "basics.department"},
		"country too long":      {basics(func(b *Basics) { b.Country = long(101) }), "basics.country"},
		"city too long":         {basics(func(b *Basics) { b.City = long(101) }), "basics.city"},
		"no work mode":          {basics(func(b *Basics) { b.WorkMode = "" }), "basics.work_mode"},
		"other work mode":       {basics(func(b *Basics) { b.WorkMode = "?" }), "basics.work_mode"},
		"no employment":         {basics(func(b *Basics) { b.Employment = "" }), "basics.employment"},
		"other employment":      {basics(func(b *Basics) { b.Employment = "?" }), "basics.employment"},
		"no seniority":          {basics(func(b *Basics) { b.Seniority = "" }), "basics.seniority"},
		"other seniority":       {basics(func(b *Basics) { b.Seniority = "?" }), "basics.seniority"},
		"no content":            {func(in *Input) { in.Content = nil }, "content"},
		"longest summary":       {content(func(c *Content) { c.Summary = long(20_000) }), ""},
		"summary too long":      {content(func(c *Content) { c.Summary = long(20_001) }), "content.summary"},
		"most lines":            {content(func(c *Content) { c.Responsibilities = lines(100, "a") }), ""},
		"too many lines":        {content(func(c *Content) { c.Responsibilities = lines(101, "a") }), "content.responsibilities"},
		"longest line":          {content(func(c *Content) { c.Requirements = []string{long(2000)} }), ""},
		"line too long":         {content(func(c *Content) { c.Requirements = []string{"a", long(2001)} }), "content.requirements[1]"},
		"nice to have too long": {content(func(c *Content) { c.NiceToHave = []string{long(2001)} }), "content.nice_to_have[0]"},
		"too many benefits":     {content(func(c *Content) { c.Benefits = lines(101, "") }), "content.benefits"},
		"largest content":       {content(func(c *Content) { *c = Content{Benefits: lines(24, strings.Repeat("a", 2000))} }), ""},
		"content too large":     {content(func(c *Content) { *c = Content{Summary: "a", Benefits: lines(24, strings.Repeat("a", 2000))} }), "content"},
		"min not a number":      {func(in *Input) { in.Compensation.Min = ptr(math.NaN()) }, "compensation.min"},
		"infinite max":          {func(in *Input) { in.Compensation.Max = ptr(math.Inf(1)) }, "compensation.max"},
		"largest amounts":       {func(in *Input) { in.Compensation.Min, in.Compensation.Max = ptr(1e12), ptr(1e12) }, ""},
		"min too large":         {func(in *Input) { in.Compensation.Min = ptr(1e12 + 0.01) }, "compensation.min"},
		"max too large":         {func(in *Input) { in.Compensation.Max = ptr(1e300) }, "compensation.max"},
		"max too negative":      {func(in *Input) { in.Compensation.Max = ptr(-1e12 - 1) }, "compensation.max"},
		"no currency":           {func(in *Input) { in.Compensation.Currency = "" }, "compensation.currency"},
		"other currency":        {func(in *Input) { in.Compensation.Currency = "dirhams" }, "compensation.currency"},
		"code of no currency":   {func(in *Input) { in.Compensation.Currency = "XXX" }, "compensation.currency"},
		"withdrawn currency":    {func(in *Input) { in.Compensation.Currency = "HRK" }, "compensation.currency"},
		"currency with a space": {func(in *Input) { in.Compensation.Currency = " AED" }, "compensation.currency"},
		"lower-case currency":   {func(in *Input) { in.Compensation.Currency = "aed" }, ""},
		"dotless lower case":    {func(in *Input) { in.Compensation.Currency = "\u0131nr" }, "compensation.currency"},
		"no period":             {func(in *Input) { in.Compensation.Period = "" }, "compensation.period"},
		"other period":          {func(in *Input) { in.Compensation.Period = "weekly" }, "compensation.period"},
		"other location":        {rules(func(e *Eligibility) { e.CandidateLocation = "?" }), "eligibility.candidate_location"},
		"other experience":      {rules(func(e *Eligibility) { e.ExperienceYears = "2_plus" }), "eligibility.experience_years"},
		"other language":        {rules(func(e *Eligibility) { e.Language = "french" }), "eligibility.language"},
		"other work":            {rules(func(e *Eligibility) { e.WorkEligibility = "?" }), "eligibility.work_eligibility"},
		"no programme value":    {func(in *Input) { in.Programme.Value = "" }, "workforce_programme.value"},
		"other programme":       {func(in *Input) { in.Programme.Value = "?" }, "workforce_programme.value"},
		"note too long":         {func(in *Input) { in.Programme.Note = long(2001) }, "workforce_programme.note"},
		"most questions":        {func(in *Input) { in.Questions = make([]Question, 50); fill(in.Questions) }, ""},
		"too many questions":    {func(in *Input) { in.Questions = make([]Question, 51); fill(in.Questions) }, "questions"},
		"longest id":            {question(func(q *Question) { q.ID = long(100) }), ""},
		"id too long":           {question(func(q *Question) { q.ID = long(101) }), "questions[1].id"},
		"id with a space":       {question(func(q *Question) { q.ID = "a b" }), "questions[1].id"},
		"id with a tab":         {question(func(q *Question) { q.ID = "a\t" }), "questions[1].id"},
		"id with a joiner":      {question(func(q *Question) { q.ID = "a\u200d" }), "questions[1].id"},
		"prompt too long":       {question(func(q *Question) { q.Prompt = long(1001) }), "questions[1].prompt"},
		"no type":               {question(func(q *Question) { q.Type = "" }), "questions[1].type"},
		"other type":            {question(func(q *Question) { q.Type = "?" }), "questions[1].type"},
		"most options":          {question(func(q *Question) { q.Options = lines(100, "") }), ""},
		"too many options":      {question(func(q *Question) { q.Options = lines(101, "") }), "questions[1].options"},
		"option too long":       {question(func(q *Question) { q.Options = []string{"", long(501)} }), "questions[1].options[1]"},
		"options for number":    {question(func(q *Question) { q.Type = "number" }), "questions[1].options"},
		"no options for text":   {question(func(q *Question) { q.Type, q.Options = "short_answer", []string{} }), ""},
		"other source":          {question(func(q *Question) { q.Source = "?" }), "questions[1].source"},
		"other default key":     {question(func(q *Question) { q.DefaultKey = "?" }), "questions[1].default_key"},
		"questions too large":   {func(in *Input) { in.Questions = make([]Question, 17); fill(in.Questions, long(500)) }, "questions"},
		"no distribution":       {func(in *Input) { in.Distribution = "" }, "distribution"},
		"other distribution":    {func(in *Input) { in.Distribution = "?" }, "distribution"},
		"label too long":        {func(in *Input) { in.Confidential.PublicLabel = long(201) }, "confidential.public_label"},
	} {
		in := complete()
		tc.change(&in)
		wants(t, name+", draft", check(in, "draft"), errs.Invalid, tc.field)
		if tc.field != "" {
			wants(t, name+", live", check(in, "live"), errs.Invalid, tc.field)
		}
	}
	in := complete()
	in.Compensation.Min, in.Compensation.Max = ptr(-1e12), nil
	wants(t, "a draft with a negative amount", check(in, "draft"), errs.Invalid, "")
	wants(t, "unknown save_as", check(complete(), "closed"), errs.Invalid, "save_as")
}

func TestSingleLineFieldsRejectBreaks(t *testing.T) {
	for field, set := range map[string]func(in *Input, s string){
		"basics.title":              func(in *Input, s string) { in.Basics.Title = s },
		"basics.department":         func(in *Input, s string) { in.Basics.Department = s },
		"basics.country":            func(in *Input, s string) { in.Basics.Country = s },
		"basics.city":               func(in *Input, s string) { in.Basics.City = s },
		"confidential.public_label": func(in *Input, s string) { in.Confidential.PublicLabel = s },
		"questions[1].options[1]":   func(in *Input, s string) { in.Questions[1].Options[1] = s },
	} {
		for s, want := range map[string]string{
			"a\nb": field, "a\tb": field, "a\x1bb": field, "a\u2028b": field, "a\u202eb": field, "a\u2066b": field,
			"مهندس\u200f (C++)\u200e": "", "می\u200cخواهم": "", "👩\u200d💻": "",
		} {
			in := complete()
			set(&in, s)
			wants(t, fmt.Sprintf("%s %q", field, s), check(in, "draft"), errs.Invalid, want)
		}
	}
	in := complete()
	in.Content.Summary, in.Content.Benefits, in.Questions[0].Prompt, in.Programme.Note = "a\nb", []string{"a\nb"}, "a\nb", "a\nb"
	wants(t, "multi-line text fields", check(in, "live"), errs.Invalid, "")
}

func TestTooLongListsAreRejectedCheaply(t *testing.T) {
	for name, change := range map[string]func(*Input, int){
		"lines":     func(in *Input, n int) { in.Content.Benefits = lines(n, "") },
		"options":   func(in *Input, n int) { in.Questions[1].Options = lines(n, "") },
		"questions": func(in *Input, n int) { in.Questions = make([]Question, n) },
	} {
		work := func(n int) float64 {
			in := complete()
			change(&in, n)
			sent := in.sent()
			return testing.AllocsPerRun(10, func() {
				f := newFaults()
				if in.shape(f, sent); f.Err() == nil {
					t.Errorf("%d %s were accepted", n, name)
				}
			})
		}
		// The numbers vary slightly, because the race detector empties fmt's pool at random.
		if few, many := work(101), work(10_000); many > 2*few {
			t.Errorf("10,000 %s need %.0f allocations, 101 need %.0f", name, many, few)
		}
	}
}

func fill(questions []Question, prompt ...string) {
	for i := range questions {
		questions[i] = Question{Type: "yes_no", Prompt: strings.Join(prompt, "")}
	}
}

func TestEveryAllowedWordIsAccepted(t *testing.T) {
	each(t, WorkModes, func(in *Input, w WorkMode) { in.Basics.WorkMode = w })
	each(t, Employments, func(in *Input, w string) { in.Basics.Employment = w })
	each(t, Seniorities, func(in *Input, w string) { in.Basics.Seniority = w })
	each(t, Periods, func(in *Input, w string) { in.Compensation.Period = w })
	each(t, CandidateLocations, func(in *Input, w string) { in.Eligibility.CandidateLocation = w })
	each(t, Experiences, func(in *Input, w string) { in.Eligibility.ExperienceYears = w })
	each(t, Languages, func(in *Input, w string) { in.Eligibility.Language = w })
	each(t, WorkEligibilities, func(in *Input, w string) { in.Eligibility.WorkEligibility = w })
	each(t, Programmes, func(in *Input, w Programme) { in.Programme.Value = w })
	each(t, QuestionTypes, func(in *Input, w QuestionType) {
		in.Questions[0] = Question{Prompt: "P", Type: w, Options: optionsOf(w)}
	})
	each(t, QuestionSources, func(in *Input, w string) { in.Questions[0].Source = w })
	each(t, DefaultQuestions, func(in *Input, w string) { in.Questions[0].DefaultKey = w })
	each(t, Distributions, func(in *Input, w Distribution) { in.Distribution = w })
}

func each[W ~string](t *testing.T, words []W, set func(*Input, W)) {
	t.Helper()
	for _, word := range words {
		in := complete()
		set(&in, word)
		wants(t, string(word), check(in, "live"), errs.Invalid, "")
	}
}

func optionsOf(t QuestionType) []string {
	if t == MultipleChoice {
		return []string{"A", "B"}
	}
	return nil
}

func TestParseSectionsRejectsUnknownSections(t *testing.T) {
	if got, err := ParseSections([]string{"basics", "compensation"}); err != nil || len(got) != 2 {
		t.Errorf("%v, %v", got, err)
	}
	for _, path := range []string{"", "basics.title", "save_as", "status", "job_id"} {
		_, err := ParseSections([]string{"basics", path})
		wants(t, path, err, errs.Invalid, "update_mask")
	}
}

func TestKeyMustBeVisibleCharacters(t *testing.T) {
	for _, key := range []string{"k", long(255), `"quoted"`, "a/b?c=d", "مفتاح"} {
		if got, err := ParseKey("idempotency_key", key); err != nil || string(got) != key {
			t.Errorf("ParseKey(%.20q) = %q, %v", key, got, err)
		}
	}
	for name, values := range map[string][]string{
		"empty": {""}, "too long": {strings.Repeat("k", 256)}, "space": {"a b"}, "blank": {" "}, "control": {"a\n"}, "NUL": {"\x00"},
		"two": {"a", "a"}, "none": {}, "not ASCII": {"مفتاح"}, "not UTF-8": {"a\xff"}, "DEL": {"a\x7f"},
	} {
		_, err := ParseHeaderKey("Idempotency-Key", values...)
		wants(t, name+" in a header", err, errs.Invalid, "Idempotency-Key")
		if len(values) == 1 && name != "not ASCII" {
			_, err = ParseKey("idempotency_key", values[0])
			wants(t, name+" in a body", err, errs.Invalid, "idempotency_key")
		}
	}
	for _, key := range []string{"k", strings.Repeat("k", 255), `"quoted"`, "!~"} {
		if got, err := ParseHeaderKey("Idempotency-Key", key); err != nil || string(got) != key {
			t.Errorf("ParseHeaderKey(%.20q) = %q, %v", key, got, err)
		}
	}
}

func TestInvalidKeyExplainsAllowedCharacters(t *testing.T) {
	for _, bad := range []string{"a b", "a\tb", " ", "\u200b"} {
		_, header := ParseHeaderKey("Idempotency-Key", bad)
		_, body := ParseKey("idempotency_key", bad)
		for err, want := range map[error]string{header: "must hold visible ASCII characters only", body: "must hold visible characters only"} {
			if e, ok := errs.As(err); !ok || len(e.Violations) != 1 || e.Violations[0].Description != want {
				t.Errorf("%q: %v, want %q", bad, err, want)
			}
		}
	}
}
