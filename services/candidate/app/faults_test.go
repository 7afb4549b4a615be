package app_test

import (
	"context"
	"slices"
	"testing"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// faultsOf returns the fields that an error reports, in order.
func faultsOf(t *testing.T, err error) []string {
	t.Helper()
	e, ok := errs.As(err)
	if !ok || e.Kind != errs.Invalid {
		t.Fatalf("error %v, want a validation error", err)
	}
	var paths []string
	for _, v := range e.Violations {
		paths = append(paths, v.Field)
	}
	return paths
}

// wantNoProfile checks that a rejected request has not stored a profile.
func (r *running) wantNoProfile(personID string) {
	r.t.Helper()
	if _, err := r.internal.GetProfile(r.t.Context(), &candidatev1.GetProfileRequest{
		By: &candidatev1.GetProfileRequest_PersonId{PersonId: personID},
	}); !errs.HasCode(err, "PROFILE_NOT_FOUND") {
		r.t.Errorf("the profile of %s exists, or reading it failed: %v", personID, err)
	}
}

func TestInvalidProfileListsEveryField(t *testing.T) {
	t.Parallel()
	r := start(t)
	p := bare("usr_1")
	p.Name, p.Locale, p.Phone = " ", "english", "\x00"
	p.Content.Experiences = append(p.Content.Experiences, &cvv1.Experience{Company: "Acme", StartDate: text("soon")})
	want := []string{
		"profile.name", "profile.locale", "profile.phone", "profile.content.experiences[1].title", "profile.content.experiences[1].start_date",
	}
	for _, dry := range []bool{true, false} {
		_, err := r.internal.CreateProfile(t.Context(), &candidatev1.CreateProfileRequest{Profile: p, ValidateOnly: dry})
		if got := faultsOf(t, err); !slices.Equal(got, want) {
			t.Errorf("dry run %t: invalid fields %q, want %q", dry, got, want)
		}
	}
	r.wantNoProfile("usr_1")
}

// TestDryRunAcceptsAnyMessage calls handlers with messages that violate the rules in the .proto
// files. A dry run must handle every message that can be decoded.
func TestDryRunAcceptsAnyMessage(t *testing.T) {
	t.Parallel()
	r := start(t)
	profile := func(p *candidatev1.Profile) func(context.Context) error {
		return func(ctx context.Context) error {
			_, err := r.internal.CreateProfile(ctx, &candidatev1.CreateProfileRequest{Profile: p, ValidateOnly: true})
			return err
		}
	}
	cv := func(req *candidatev1.CreateCvRequest) func(context.Context) error {
		req.ValidateOnly = true
		return func(ctx context.Context) error { _, err := r.internal.CreateCv(ctx, req); return err }
	}
	apply := func(req *candidatev1.ApplyRequest) func(context.Context) error {
		req.ValidateOnly = true
		return func(ctx context.Context) error { _, err := r.intake.Apply(ctx, req); return err }
	}
	for name, call := range map[string]func(context.Context) error{
		"no profile":       profile(nil),
		"empty profile":    profile(&candidatev1.Profile{}),
		"empty parts":      profile(&candidatev1.Profile{PersonalDetails: &cvv1.PersonalDetails{}, Content: &candidatev1.CvContent{}}),
		"empty items":      profile(&candidatev1.Profile{Content: &candidatev1.CvContent{Experiences: []*cvv1.Experience{{}}, Highlights: []*cvv1.Highlight{{}}}}),
		"empty CV":         cv(&candidatev1.CreateCvRequest{}),
		"empty content":    cv(&candidatev1.CreateCvRequest{Content: &candidatev1.CvContent{SkillGroups: []*cvv1.SkillGroup{{}}}}),
		"empty request":    apply(&candidatev1.ApplyRequest{}),
		"empty posting":    apply(&candidatev1.ApplyRequest{Posting: &partnercatalogv1.JobPosting{}}),
		"empty job":        apply(&candidatev1.ApplyRequest{Posting: &partnercatalogv1.JobPosting{Job: &partnercatalogv1.Job{}}}),
		"empty answer":     apply(&candidatev1.ApplyRequest{Answers: []*candidatev1.AnswerInput{{}}}),
		"unknown source":   apply(&candidatev1.ApplyRequest{Source: 99, AppliedAt: timestamppb.New(time.Time{}.AddDate(-9, 0, 0))}),
		"empty submission": apply(&candidatev1.ApplyRequest{Submission: &candidatev1.ApplyRequest_CvId{}}),
		"empty question": apply(&candidatev1.ApplyRequest{
			Answers: []*candidatev1.AnswerInput{{Value: &candidatev1.AnswerValue{}}},
			Posting: &partnercatalogv1.JobPosting{Job: &partnercatalogv1.Job{
				Status:             partnercatalogv1.JobStatus_JOB_STATUS_ACTIVE,
				ScreeningQuestions: []*partnercatalogv1.ScreeningQuestion{{}, {Type: 99, Required: true}},
			}},
		}),
	} {
		if got := faultsOf(t, call(t.Context())); len(got) == 0 {
			t.Errorf("%s: the error names no field", name)
		}
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	url := database(t)
	r := startOn(t, url)
	r.create(bare("usr_1"))
	editor := startEditingOn(t, url).editor
	posting := r.catalog.post("job_1", "app_1", questions[2])
	testkit.DryRunsWriteNothing(t, url, "vitae.candidate.v1", map[string]func() error{
		candidatev1.ProfileService_CreateProfile_FullMethodName: func() error {
			_, err := r.internal.CreateProfile(t.Context(), &candidatev1.CreateProfileRequest{Profile: bare("usr_2"), ValidateOnly: true})
			return err
		},
		candidatev1.ProfileService_CreateCv_FullMethodName: func() error {
			_, err := r.internal.CreateCv(t.Context(), &candidatev1.CreateCvRequest{PersonId: "usr_1", Title: "Another", Content: bare("usr_1").GetContent(), ValidateOnly: true})
			return err
		},
		candidatev1.EditorService_CreateOwnCv_FullMethodName: func() error {
			_, err := editor.CreateOwnCv(t.Context(), &candidatev1.CreateOwnCvRequest{SessionToken: "session of usr_1", Title: "Another", ValidateOnly: true})
			return err
		},
		candidatev1.ApplicationIntakeService_Apply_FullMethodName: func() error {
			_, err := r.intake.Apply(t.Context(), &candidatev1.ApplyRequest{
				PersonId: "usr_1", JobId: "job_1", Posting: posting, ValidateOnly: true,
				Submission: &candidatev1.ApplyRequest_CvId{CvId: "cv_1"},
				Answers:    []*candidatev1.AnswerInput{answer("q_short", said("yes"))},
			})
			return err
		},
		candidatev1.ResumeService_UploadResume_FullMethodName: func() error {
			_, err := r.send("internal", describe(&candidatev1.ResumeDescription{PersonId: "usr_1", ValidateOnly: true}), piece(pdfOf(100)))
			return err
		},
	})
}
