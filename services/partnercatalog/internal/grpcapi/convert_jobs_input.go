package grpcapi

import (
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/job"
)

// jobSections is a request to create or change a job.
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
