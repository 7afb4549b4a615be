package grpcserver_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	_ "vitae.internal/proto/gen/vitae/auth/v1"
	_ "vitae.internal/proto/gen/vitae/candidate/v1"
	_ "vitae.internal/proto/gen/vitae/cvrender/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	_ "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// If you allow every team to call another method, extend this list. Consider the teams that will be
// added later.
func TestAllTeamsMayCallOnlyCommonReads(t *testing.T) {
	want := []string{
		"vitae.candidate.v1.ProfileService.GetCv",
		"vitae.candidate.v1.ProfileService.GetProfile",
		"vitae.candidate.v1.ProfileService.GetPublicProfile",
		"vitae.candidate.v1.ProfileService.ListCvs",
		"vitae.cvrender.v1.CvRenderService.RenderCv",
		"vitae.partnercatalog.v1.CompanyPageService.GetCompanyPage",
		"vitae.partnercatalog.v1.JobPostingService.GetJobPosting",
	}
	var got []string
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				m := methods.Get(j)
				access, _ := proto.GetExtension(m.Options(), optionsv1.E_Access).(*optionsv1.Access)
				if f.Package() != "vitae.test" && slices.Contains(access.GetCallers(), "internal/*") {
					got = append(got, string(m.FullName()))
				}
			}
		}
		return true
	})
	slices.Sort(got)
	if !slices.Equal(got, want) {
		t.Errorf("every team may call\n%q, want\n%q", got, want)
	}
}
