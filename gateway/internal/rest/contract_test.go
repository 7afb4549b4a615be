package rest

import (
	"testing"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

func TestRoutesComeFromTheContract(t *testing.T) {
	got, err := MethodsOf(candidatev1.File_vitae_candidate_v1_me_proto.Services().ByName("MeService"))
	if err != nil {
		t.Fatal(err)
	}
	user := optionsv1.Credential_CREDENTIAL_USER_TOKEN
	want := []Method{{"GET", "/v1/me", "profile", user}, {"GET", "/v1/me/cv", "cv:read", user}}
	if len(got) != len(want) || got[0] != want[0] || got[1] != want[1] {
		t.Errorf("got %+v", got)
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
