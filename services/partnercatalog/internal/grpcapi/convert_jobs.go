package grpcapi

import (
	"google.golang.org/protobuf/types/known/timestamppb"

	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/job"
)

func jobToProto(j job.Job) *partnercatalogv1.Job {
	out := &partnercatalogv1.Job{
		Id:                 j.ID,
		CompanyId:          j.CompanyID,
		Title:              j.Basics.Title,
		Description:        null(j.Content.Description()),
		Status:             statuses.Value(string(j.Status)),
		WorkMode:           workModes.Value(string(j.Basics.WorkMode)),
		Employment:         employments.Value(j.Basics.Employment),
		Seniority:          seniorities.Value(j.Basics.Seniority),
		Department:         null(j.Basics.Department),
		City:               null(j.Basics.City),
		Country:            null(j.Basics.Country),
		Location:           null(j.Basics.Location()),
		Distribution:       distributions.Value(string(j.Distribution)),
		Responsibilities:   j.Content.Responsibilities,
		Requirements:       j.Content.Requirements,
		NiceToHave:         j.Content.NiceToHave,
		Benefits:           j.Content.Benefits,
		ScreeningQuestions: questionsToProto(j.Questions),
		Eligibility:        eligibilityToProto(j.Eligibility),
		Confidential:       confidentialToProto(j.Confidential),
		WorkforceProgramme: programmeToProto(j.Programme),
		ApplicationCount:   j.Applications,
		CreatedAt:          timestamppb.New(j.CreatedAt),
		UpdatedAt:          timestamppb.New(j.UpdatedAt),
	}
	if c := j.Salary(); c != nil {
		out.Salary = &partnercatalogv1.Salary{Min: c.Min, Max: c.Max, Currency: c.Currency, Period: periods.Value(c.Period)}
		out.SalaryVisible = c.Visible
	}
	if j.PostedAt != nil {
		out.PostedAt = timestamppb.New(*j.PostedAt)
	}
	return out
}

func questionsToProto(questions []job.Question) []*partnercatalogv1.ScreeningQuestion {
	out := make([]*partnercatalogv1.ScreeningQuestion, len(questions))
	for i, q := range questions {
		out[i] = &partnercatalogv1.ScreeningQuestion{
			Id:         q.ID,
			Prompt:     q.Prompt,
			Type:       questionTypes.Value(string(q.Type)),
			Required:   q.Required,
			Order:      q.Order,
			Options:    q.Options,
			Source:     questionSources.Optional(q.Source),
			DefaultKey: defaultQuestions.Optional(q.DefaultKey),
		}
	}
	return out
}

func eligibilityToProto(e *job.Eligibility) *partnercatalogv1.EligibilityRules {
	if e == nil {
		return nil
	}
	return &partnercatalogv1.EligibilityRules{
		CandidateLocation: candidateLocations.Value(e.CandidateLocation),
		ExperienceYears:   experiences.Value(e.ExperienceYears),
		Language:          languages.Value(e.Language),
		WorkEligibility:   workEligibilities.Value(e.WorkEligibility),
	}
}

// confidentialToProto converts the confidentiality of a job. It never returns nil: a job without
// this section is not confidential (behaviour: jobs#confidential-jobs).
func confidentialToProto(c *job.Confidentiality) *partnercatalogv1.JobConfidentiality {
	if c == nil {
		return &partnercatalogv1.JobConfidentiality{}
	}
	return &partnercatalogv1.JobConfidentiality{Enabled: c.Enabled, PublicLabel: null(c.PublicLabel)}
}

func programmeToProto(w *job.WorkforceProgramme) *partnercatalogv1.JobWorkforceProgramme {
	if w == nil {
		return nil
	}
	return &partnercatalogv1.JobWorkforceProgramme{Value: programmes.Value(string(w.Value)), Note: null(w.Note), Acknowledged: w.Acknowledged}
}

func postingToProto(p job.Posting) *partnercatalogv1.JobPosting {
	out := &partnercatalogv1.JobPosting{Job: jobToProto(p.Job), AppId: p.AppID}
	if w := p.Job.Programme; w != nil {
		out.WorkforceProgramme = &partnercatalogv1.WorkforceProgramme{
			Value: programmes.Value(string(w.Value)), Note: optional(w.Note), Acknowledged: &w.Acknowledged,
		}
	}
	if c := p.Job.Confidential; c != nil {
		out.Confidential = &partnercatalogv1.Confidentiality{Enabled: c.Enabled, PublicLabel: optional(c.PublicLabel)}
	}
	return out
}

// optional returns a pointer to s, or nil if s is empty.
func optional(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// jobSections is implemented by the requests that create or change a job.
type jobSections interface {
	GetBasics() *partnercatalogv1.JobBasics
	GetContent() *partnercatalogv1.JobContent
	GetCompensation() *partnercatalogv1.Compensation
	GetEligibility() *partnercatalogv1.EligibilityInput
	GetWorkforceProgramme() *partnercatalogv1.WorkforceProgramme
	GetQuestions() []*partnercatalogv1.QuestionInput
	GetDistribution() partnercatalogv1.Distribution
	GetConfidential() *partnercatalogv1.Confidentiality
}

func jobInputFromProto(req jobSections) job.Input {
	in := job.Input{
		Questions:    questionsFromProto(req.GetQuestions()),
		Distribution: job.Distribution(distributions.Word(req.GetDistribution())),
	}
	if b := req.GetBasics(); b != nil {
		in.Basics = &job.Basics{
			Title:      b.GetTitle(),
			Department: b.GetDepartment(),
			Country:    b.GetCountry(),
			City:       b.GetCity(),
			WorkMode:   job.WorkMode(workModes.Word(b.GetWorkMode())),
			Employment: employments.Word(b.GetEmployment()),
			Seniority:  seniorities.Word(b.GetSeniority()),
		}
	}
	if c := req.GetContent(); c != nil {
		in.Content = &job.Content{
			Summary:          c.GetSummary(),
			Responsibilities: c.GetResponsibilities(),
			Requirements:     c.GetRequirements(),
			NiceToHave:       c.GetNiceToHave(),
			Benefits:         c.GetBenefits(),
		}
	}
	addOptionalSections(&in, req)
	return in
}

func addOptionalSections(in *job.Input, req jobSections) {
	if c := req.GetCompensation(); c != nil {
		in.Compensation = &job.Compensation{
			Min: c.Min, Max: c.Max, Currency: c.GetCurrency(), Period: periods.Word(c.GetPeriod()), Visible: c.GetVisible(),
		}
	}
	if e := req.GetEligibility(); e != nil {
		in.Eligibility = &job.Eligibility{
			CandidateLocation: candidateLocations.Word(e.GetCandidateLocation()),
			ExperienceYears:   experiences.Word(e.GetExperienceYears()),
			Language:          languages.Word(e.GetLanguage()),
			WorkEligibility:   workEligibilities.Word(e.GetWorkEligibility()),
		}
	}
	if w := req.GetWorkforceProgramme(); w != nil {
		in.Programme = &job.WorkforceProgramme{
			Value: job.Programme(programmes.Word(w.GetValue())), Note: w.GetNote(), Acknowledged: w.GetAcknowledged(),
		}
	}
	if c := req.GetConfidential(); c != nil {
		in.Confidential = &job.Confidentiality{Enabled: c.GetEnabled(), PublicLabel: c.GetPublicLabel()}
	}
}

func questionsFromProto(questions []*partnercatalogv1.QuestionInput) []job.Question {
	out := make([]job.Question, len(questions))
	for i, q := range questions {
		out[i] = job.Question{
			ID:         q.GetId(),
			Prompt:     q.GetPrompt(),
			Type:       job.QuestionType(questionTypes.Word(q.GetType())),
			Required:   q.GetRequired(),
			Order:      q.Order,
			Options:    q.GetOptions(),
			Source:     questionSources.Word(q.GetSource()),
			DefaultKey: defaultQuestions.Word(q.GetDefaultKey()),
		}
	}
	return out
}
