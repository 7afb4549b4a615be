package job

import (
	"fmt"
	"math"
)

// Limits of strings, in characters, and of lists, in items (behaviour: requests#lengths).
const (
	maxTitle      = 200
	maxDepartment = 200
	maxPlace      = 100
	maxSummary    = 20_000
	maxLines      = 100
	maxLine       = 2_000
	maxNote       = 2_000
	maxLabel      = 200
	maxQuestions  = 50
	maxQuestionID = 100
	maxPrompt     = 1_000
	maxOptions    = 100
	maxOption     = 500
)

// maxAmount is the maximum amount of money. It is higher than any salary in any currency, and low
// enough for a float64 to represent cents (behaviour: jobs#salary).
const maxAmount = 1e12

// Limits of sections, in bytes. With these limits, the largest page, with 100 jobs, fits in a
// message of grpcx.MaxMessage bytes (behaviour: jobs#size-of-a-job).
const (
	maxContentBytes   = 48_000
	maxQuestionsBytes = 16_000
)

// shapes maps each section to the checks that apply to all jobs, including drafts.
var shapes = map[Section]func(f *faults, path string, in Input){
	SectionBasics:       func(f *faults, path string, in Input) { in.Basics.shape(f, path) },
	SectionContent:      func(f *faults, path string, in Input) { in.Content.shape(f, path) },
	SectionCompensation: func(f *faults, path string, in Input) { in.Compensation.shape(f, path) },
	SectionEligibility:  func(f *faults, path string, in Input) { in.Eligibility.shape(f, path) },
	SectionProgramme:    func(f *faults, path string, in Input) { in.Programme.shape(f, path) },
	SectionQuestions:    func(f *faults, path string, in Input) { shapeQuestions(f, path, in.Questions) },
	SectionDistribution: func(f *faults, path string, in Input) { oneOf(f, path, in.Distribution, Distributions) },
	SectionConfidential: func(f *faults, path string, in Input) {
		f.Line(path+".public_label", in.Confidential.PublicLabel, maxLabel)
	},
}

// removable is the set of sections that an update can remove, by naming them in the update mask
// without including them in the request (behaviour: jobs#sections-are-replaced).
var removable = map[Section]bool{SectionCompensation: true, SectionEligibility: true, SectionProgramme: true}

// shape validates the sections that a request sends or removes.
func (in Input) shape(f *faults, sent []Section) {
	named := map[Section]bool{}
	for _, s := range sent {
		named[s] = true
	}
	for _, s := range order {
		switch {
		case !named[s]:
		case in.has(s):
			shapes[s](f, string(s), in)
		case !removable[s]:
			f.Add(string(s), "is required")
		}
	}
}

func (b Basics) shape(f *faults, path string) {
	f.Line(path+".title", b.Title, maxTitle)
	f.Line(path+".department", b.Department, maxDepartment)
	f.Line(path+".country", b.Country, maxPlace)
	f.Line(path+".city", b.City, maxPlace)
	oneOf(f, path+".work_mode", b.WorkMode, WorkModes)
	oneOf(f, path+".employment", b.Employment, Employments)
	oneOf(f, path+".seniority", b.Seniority, Seniorities)
}

func (c Content) shape(f *faults, path string) {
	f.Text(path+".summary", c.Summary, maxSummary)
	f.texts(path+".responsibilities", c.Responsibilities, maxLines, maxLine)
	f.texts(path+".requirements", c.Requirements, maxLines, maxLine)
	f.texts(path+".nice_to_have", c.NiceToHave, maxLines, maxLine)
	f.texts(path+".benefits", c.Benefits, maxLines, maxLine)
	if size := len(c.Summary) + bytesOf(c.Responsibilities, c.Requirements, c.NiceToHave, c.Benefits); size > maxContentBytes {
		f.Add(path, "must be at most %d bytes in all", maxContentBytes)
	}
}

func bytesOf(lists ...[]string) (n int) {
	for _, list := range lists {
		for _, s := range list {
			n += len(s)
		}
	}
	return n
}

func (c Compensation) shape(f *faults, path string) {
	amount(f, path+".min", c.Min)
	amount(f, path+".max", c.Max)
	if !isCurrency(c.Currency) {
		f.Add(path+".currency", "must be a current ISO 4217 code")
	}
	oneOf(f, path+".period", c.Period, Periods)
}

// amount checks an amount of money. Drafts may contain negative amounts.
func amount(f *faults, path string, n *float64) {
	switch {
	case n == nil:
	case math.IsNaN(*n) || math.IsInf(*n, 0):
		f.Add(path, "must be a finite number")
	case math.Abs(*n) > maxAmount:
		f.Add(path, "must be between -%[1]d and %[1]d", int64(maxAmount))
	}
}

func (e Eligibility) shape(f *faults, path string) {
	maybeOneOf(f, path+".candidate_location", e.CandidateLocation, CandidateLocations)
	maybeOneOf(f, path+".experience_years", e.ExperienceYears, Experiences)
	maybeOneOf(f, path+".language", e.Language, Languages)
	maybeOneOf(f, path+".work_eligibility", e.WorkEligibility, WorkEligibilities)
}

func (p WorkforceProgramme) shape(f *faults, path string) {
	oneOf(f, path+".value", p.Value, Programmes)
	f.Text(path+".note", p.Note, maxNote)
}

func shapeQuestions(f *faults, path string, questions []Question) {
	if !f.Count(path, len(questions), maxQuestions) {
		return
	}
	size := 0
	for i, q := range questions {
		q.shape(f, fmt.Sprintf("%s[%d]", path, i))
		size += len(q.ID) + len(q.Prompt) + bytesOf(q.Options)
	}
	if size > maxQuestionsBytes {
		f.Add(path, "must be at most %d bytes in all", maxQuestionsBytes)
	}
}

func (q Question) shape(f *faults, path string) {
	f.visible(path+".id", q.ID, maxQuestionID)
	f.Text(path+".prompt", q.Prompt, maxPrompt)
	oneOf(f, path+".type", q.Type, QuestionTypes)
	f.lines(path+".options", q.Options, maxOptions, maxOption)
	if q.Type != MultipleChoice && len(q.Options) > 0 && !f.Covers(path+".type") {
		f.Add(path+".options", "is for multiple choice only")
	}
	maybeOneOf(f, path+".source", q.Source, QuestionSources)
	maybeOneOf(f, path+".default_key", q.DefaultKey, DefaultQuestions)
}
