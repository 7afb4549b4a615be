package scene

import (
	"testing"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/stack"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/pkg/errs"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// Profiles returns a client of the service that internal teams use to change profiles and CVs.
func Profiles(t testing.TB, s *stack.Stack) candidatev1.ProfileServiceClient {
	t.Helper()
	note := expect.Must(s.Note())(t)
	return candidatev1.NewProfileServiceClient(suite.Dial(t, s, note.GRPC.Candidate, "candidate", "internal"))
}

// Change is a change to one field of a profile.
type Change struct {
	// Path is the field's path in the update mask.
	Path string
	// Set sets the new value in a profile.
	Set func(*candidatev1.Profile)
}

// Headline changes the headline.
func Headline(s string) Change {
	return Change{"headline", func(p *candidatev1.Profile) { p.Headline = s }}
}

// Rename changes the name.
func Rename(s string) Change {
	return Change{"name", func(p *candidatev1.Profile) { p.Name = s }}
}

// Phone changes the phone number.
func Phone(s string) Change {
	return Change{"phone", func(p *candidatev1.Profile) { p.Phone = s }}
}

// UpdateProfile applies a change to a person's profile.
func UpdateProfile(t testing.TB, s *stack.Stack, personID string, c Change) {
	t.Helper()
	profile := &candidatev1.Profile{PersonId: personID}
	c.Set(profile)
	expect.Must(Profiles(t, s).UpdateProfile(t.Context(), &candidatev1.UpdateProfileRequest{
		Profile: profile, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{c.Path}},
	}))(t)
}

// DeleteCV deletes a CV.
func DeleteCV(t testing.TB, s *stack.Stack, id string) {
	t.Helper()
	expect.Must(Profiles(t, s).DeleteCv(t.Context(), &candidatev1.DeleteCvRequest{Id: id}))(t)
}

// Intake returns a client of the service that internal teams use to add applications.
func Intake(t testing.TB, s *stack.Stack) candidatev1.ApplicationIntakeServiceClient {
	t.Helper()
	return candidatev1.NewApplicationIntakeServiceClient(suite.Dial(t, s, expect.Must(s.Note())(t).GRPC.Candidate, "candidate", "internal"))
}

// Applying returns a request to apply with the main CV.
func Applying(job, personID string, answers ...*candidatev1.AnswerInput) *candidatev1.ApplyRequest {
	return &candidatev1.ApplyRequest{
		JobId: job, PersonId: personID, Submission: &candidatev1.ApplyRequest_CvId{CvId: "master"}, Answers: answers,
		Source: candidatev1.ApplicationSource_APPLICATION_SOURCE_TABBIO_APP,
	}
}

// AlreadyApplied reports whether an application was rejected because the person has already applied.
func AlreadyApplied(err error) bool {
	e, ok := errs.As(err)
	return ok && e.Code == "ALREADY_APPLIED"
}
