package importer

import (
	"context"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

const file = `{
  "people": [
    {"ref": "one", "email": "one@vitae.example", "password": "demo-password", "name": "One",
     "profile": {"skills": ["Go", "SQL", "C"], "socials": {"github": "x", "web": "y"},
       "experiences": [{"title": "T", "company": "C", "startDate": "2020"}, {"title": "U", "company": "D", "startDate": "2021"}]},
     "cvs": [{"ref": "cv", "title": "Second", "document": {"languages": ["Arabic"]}}]},
    {"ref": "two", "email": "two@vitae.example", "password": "demo-password", "name": "Two", "username": "two"}],
  "developers": [
    {"ref": "dev", "name": "Dev", "email": "dev@vitae.example", "plan": "standard", "suspended": true,
     "apps": [{"ref": "app", "name": "App", "clientType": "confidential", "redirectUris": ["https://a.example/cb"], "scopes": ["profile"],
       "apiKeys": [{"ref": "key", "name": "Key", "scopes": ["jobs:read"]}]}]},
    {"ref": "dev2", "name": "Dev 2", "email": "dev2@vitae.example", "plan": "elevated"}]
}`

func parse(t *testing.T, raw string) world.World {
	t.Helper()
	var faults world.Faults
	w := world.Parse([]byte(raw), &faults)
	if list := faults.List(); len(list) > 0 {
		t.Fatalf("the test file has faults: %v", list)
	}
	return w
}

func services(conn *conntest.Conn) Services {
	return Services{
		People:       authv1.NewPeopleServiceClient(conn),
		Developers:   authv1.NewDeveloperServiceClient(conn),
		Members:      authv1.NewMemberServiceClient(conn),
		Profiles:     candidatev1.NewProfileServiceClient(conn),
		Companies:    partnercatalogv1.NewCompanyServiceClient(conn),
		CompanyPages: partnercatalogv1.NewCompanyPageServiceClient(conn),
		Jobs:         partnercatalogv1.NewJobServiceClient(conn),
		Applications: candidatev1.NewApplicationIntakeServiceClient(conn),
		Resumes:      candidatev1.NewResumeServiceClient(conn),
	}
}

// creating responds to requests with ids that identify the created object.
func creating(call conntest.Call) (proto.Message, error) {
	switch req := call.Request.(type) {
	case *authv1.CreatePersonRequest:
		return &authv1.CreatePersonResponse{Person: &authv1.Person{Id: "usr_" + req.GetEmail()}}, nil
	case *candidatev1.CreateCvRequest:
		return &candidatev1.CreateCvResponse{Cv: &candidatev1.Cv{Id: "cv_" + req.GetPersonId()}}, nil
	case *authv1.CreateAccountRequest:
		return &authv1.CreateAccountResponse{Account: &authv1.Account{Id: "dev_" + req.GetName()}}, nil
	case *authv1.CreateAppRequest:
		return &authv1.CreateAppResponse{App: &authv1.App{Id: "app_" + req.GetAccountId(), ClientId: "svc_ci_1"}, ClientSecret: "svc_cs_1"}, nil
	case *authv1.CreateApiKeyRequest:
		return &authv1.CreateApiKeyResponse{ApiKey: &authv1.ApiKey{Id: "key_" + req.GetAppId()}, Secret: "svc_sk_1"}, nil
	}
	return nil, nil
}

func TestParentsAreCreatedFirst(t *testing.T) {
	conn := &conntest.Conn{Answer: creating}
	made, err := Import(context.Background(), services(conn), parse(t, file))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"CreatePerson", "CreateProfile", "CreateCv", "CreatePerson", "CreateProfile",
		"CreateAccount", "SuspendAccount", "CreateApp", "CreateApiKey", "CreateAccount"}
	if got := conn.Methods(); !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
	if got := conn.Calls[1].Request.(*candidatev1.CreateProfileRequest).GetProfile().GetPersonId(); got != "usr_one@vitae.example" {
		t.Errorf("the profile was created for %q", got)
	}
	if got := made.CVs["cv"].ID; got != "cv_usr_one@vitae.example" {
		t.Errorf("CV id %q", got)
	}
	if got, want := made.Apps["app"], (App{ID: "app_dev_Dev", ClientID: "svc_ci_1", ClientSecret: "svc_cs_1"}); got != want {
		t.Errorf("app %+v, want %+v", got, want)
	}
	if got, want := made.APIKeys["key"], (Key{ID: "key_app_dev_Dev", Key: "svc_sk_1"}); got != want {
		t.Errorf("key %+v, want %+v", got, want)
	}
	if got := conn.Calls[6].Request.(*authv1.SuspendAccountRequest).GetId(); got != "dev_Dev" {
		t.Errorf("suspended %q", got)
	}
}

func TestMembersAreAdded(t *testing.T) {
	conn := &conntest.Conn{Answer: creating}
	_, err := Import(context.Background(), services(conn), parse(t, `{
  "people": [{"ref": "one", "email": "one@vitae.example", "password": "demo-password", "name": "One"}],
  "developers": [{"ref": "dev", "name": "Dev", "email": "dev@vitae.example", "plan": "standard", "suspended": true,
    "members": [{"person": "one", "role": "developer"}]}]
}`))
	if err != nil {
		t.Fatal(err)
	}
	if got, want := conn.Methods()[2:], []string{"CreateAccount", "SuspendAccount", "AddMember"}; !slices.Equal(got, want) {
		t.Fatalf("calls %q, want %q", got, want)
	}
	want := &authv1.AddMemberRequest{AccountId: "dev_Dev", PersonId: "usr_one@vitae.example", Role: optionsv1.Role_ROLE_DEVELOPER}
	if got := conn.Calls[4].Request; !proto.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

func TestFailedImportReturnsPartialResult(t *testing.T) {
	conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) {
		if call.Method == "CreateApiKey" {
			return nil, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.")
		}
		return creating(call)
	}}
	made, err := Import(context.Background(), services(conn), parse(t, file))
	if err == nil || !strings.Contains(err.Error(), "developers[0].apps[0].apiKeys[0]") {
		t.Errorf("error %v does not contain the path in the file", err)
	}
	if made.Apps["app"].ClientSecret == "" {
		t.Error("the result lacks the secret of an app that was created")
	}
}
