package grpcapi

import (
	"strings"
	"testing"
	"time"

	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/grpcx"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
	"vitae.internal/services/partnercatalog/internal/job"
)

// wide returns a string of n four-byte characters.
func wide(n int) string { return strings.Repeat("𝔙", n) }

// largest returns a job in which every section is as large as allowed
// (behaviour: jobs#size-of-a-job). Long lists of short strings have the largest overhead.
func largest() job.Job {
	now, pay, order := time.Now(), 1e12, int32(-1)
	list := func(n, size int) []string {
		out := make([]string, n)
		for i := range out {
			out[i] = strings.Repeat("a", size)
		}
		return out
	}
	j := job.Job{
		ID: "job_" + strings.Repeat("0", 26), CompanyID: "com_" + strings.Repeat("0", 26), Status: job.Closed,
		Sections: job.Sections{
			Basics: job.Basics{
				Title: wide(200), Department: wide(200), Country: wide(100), City: wide(100),
				WorkMode: job.Remote, Employment: "contract", Seniority: "executive",
			},
			Content: job.Content{
				Summary: strings.Repeat("a", 8000), Responsibilities: list(100, 100), Requirements: list(100, 100),
				NiceToHave: list(100, 100), Benefits: list(100, 100),
			},
			Compensation: &job.Compensation{Min: &pay, Max: &pay, Currency: "AED", Period: "yearly", Visible: true},
			Eligibility:  &job.Eligibility{CandidateLocation: "any", ExperienceYears: "any", Language: "any", WorkEligibility: "any"},
			Programme:    &job.WorkforceProgramme{Value: "other", Note: wide(2000), Acknowledged: true},
			Distribution: job.TabbioOnly, UnmaskedDistribution: "hidden",
			Confidential: &job.Confidentiality{Enabled: true, PublicLabel: wide(200)},
		},
		Applications: 1 << 30, PostedAt: &now, CreatedAt: now, UpdatedAt: now,
	}
	for range 50 {
		j.Questions = append(j.Questions, job.Question{
			ID: "qst_" + strings.Repeat("0", 26), Prompt: strings.Repeat("a", 20), Type: job.MultipleChoice, Required: true, Order: &order,
			Options: list(100, 3), Source: "default", DefaultKey: "availability",
		})
	}
	return j
}

func TestLargestPageOfJobsFitsInMessage(t *testing.T) {
	page := &partnercatalogv1.ListJobsResponse{}
	for range 100 {
		page.Jobs = append(page.Jobs, jobToProto(largest()))
	}
	if size := proto.Size(page); size > grpcx.MaxMessage {
		t.Errorf("the page has %d bytes, but a message can have at most %d", size, grpcx.MaxMessage)
	}
}
