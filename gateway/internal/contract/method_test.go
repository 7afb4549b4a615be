package contract

import (
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

func TestRoutesComeFromContract(t *testing.T) {
	got, err := MethodsOf(candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService"))
	if err != nil || len(got) != 2 {
		t.Fatalf("got %+v, %v", got, err)
	}
	for i, want := range []struct{ template, scope, data string }{{"/v1/me", "profile", "user"}, {"/v1/me/cv", "cv:read", "cv"}} {
		m := got[i]
		if m.HTTPMethod != "GET" || m.Template != want.template || m.Scope != want.scope || string(m.Data.Name()) != want.data ||
			m.Credential != optionsv1.Credential_CREDENTIAL_USER_TOKEN || m.Status != 200 || m.TakesBody || m.Paging != nil {
			t.Errorf("got %+v", m)
		}
	}
}

func TestMethodsAreReadFromContract(t *testing.T) {
	jobs := partnercatalogv1.File_vitae_partnercatalog_v1_jobs_proto.Services().ByName("JobService")
	create, err := MethodOf(jobs, "CreateJob")
	if err != nil || create.HTTPMethod != "POST" || create.Template != "/v1/companies/{companyId}/jobs" || !create.TakesBody ||
		create.Status != 201 || create.Credential != optionsv1.Credential_CREDENTIAL_API_KEY ||
		len(create.Params) != 1 || create.Params[0] != (Param{"company_id", "companyId"}) {
		t.Errorf("%+v, %v", create, err)
	}
	if fields := create.Descriptor.Input().Fields(); !create.Bound(fields.ByName("company_id")) || create.Bound(fields.ByName("basics")) {
		t.Error("company_id must be read from the path, and basics must not")
	}
	list, err := MethodOf(jobs, "ListJobs")
	if err != nil || list.Paging == nil || !list.Data.IsList() || list.TakesBody {
		t.Errorf("%+v, %v", list, err)
	}
}

func TestInternalMethodsHaveNoRoute(t *testing.T) {
	service := authv1.File_vitae_auth_v1_credentials_proto.Services().ByName("CredentialService")
	if got, err := MethodsOf(service); err != nil || got != nil {
		t.Errorf("got %+v, %v", got, err)
	}
	if got, err := MethodOf(service, "ResolveCredential"); err == nil {
		t.Errorf("got %+v", got)
	}
}
