package e2e_test

import (
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/e2e/internal/stack"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// dial connects to a service with the certificate of a caller that the stack
// issued, as internal teams do (docs/internal-grpc.md).
func dial(t testing.TB, s *stack.Stack, addr, service, caller string) *grpc.ClientConn {
	t.Helper()
	identity := must(mtls.Load(mtls.Files(s.TLSDir(), caller)))(t)
	conn := must(grpcx.Dial(addr, service, identity))(t)
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

func profiles(t testing.TB, s *stack.Stack) candidatev1.ProfileServiceClient {
	t.Helper()
	note := must(s.Note())(t)
	return candidatev1.NewProfileServiceClient(dial(t, s, note.GRPC.Candidate, "candidate", "internal"))
}

// change is one field of a profile.
type change struct {
	path string
	set  func(*candidatev1.Profile)
}

func headline(s string) change {
	return change{"headline", func(p *candidatev1.Profile) { p.Headline = s }}
}

func rename(s string) change {
	return change{"name", func(p *candidatev1.Profile) { p.Name = s }}
}

func phone(s string) change {
	return change{"phone", func(p *candidatev1.Profile) { p.Phone = s }}
}

func updateProfile(t testing.TB, s *stack.Stack, personID string, c change) {
	t.Helper()
	profile := &candidatev1.Profile{PersonId: personID}
	c.set(profile)
	must(profiles(t, s).UpdateProfile(t.Context(), &candidatev1.UpdateProfileRequest{
		Profile: profile, UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{c.path}},
	}))(t)
}

func deleteCV(t testing.TB, s *stack.Stack, id string) {
	t.Helper()
	must(profiles(t, s).DeleteCv(t.Context(), &candidatev1.DeleteCvRequest{Id: id}))(t)
}
