package importer

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/fakeconn"
	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
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
		t.Fatalf("the test's file has faults: %v", list)
	}
	return w
}

func services(conn *fakeconn.Conn) Services {
	return Services{
		People:       authv1.NewPeopleServiceClient(conn),
		Developers:   authv1.NewDeveloperServiceClient(conn),
		Profiles:     candidatev1.NewProfileServiceClient(conn),
		Companies:    partnercatalogv1.NewCompanyServiceClient(conn),
		CompanyPages: partnercatalogv1.NewCompanyPageServiceClient(conn),
		Jobs:         partnercatalogv1.NewJobServiceClient(conn),
		Applications: candidatev1.NewApplicationIntakeServiceClient(conn),
		Resumes:      candidatev1.NewResumeServiceClient(conn),
	}
}

// creating answers every creation with ids that tell what was created.
func creating(call fakeconn.Call) (proto.Message, error) {
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

func TestParentsAreCreatedBeforeTheirChildrenAndSuspendedLast(t *testing.T) {
	conn := &fakeconn.Conn{Answer: creating}
	made, err := Import(context.Background(), services(conn), parse(t, file))
	if err != nil {
		t.Fatal(err)
	}
	want := []string{"CreatePerson", "CreateProfile", "CreateCv", "CreatePerson", "CreateProfile",
		"CreateAccount", "CreateApp", "CreateApiKey", "SuspendAccount", "CreateAccount"}
	if got := conn.Methods(); !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
	if got := conn.Calls[1].Request.(*candidatev1.CreateProfileRequest).GetProfile().GetPersonId(); got != "usr_one@vitae.example" {
		t.Errorf("the profile was made for %q", got)
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
	if got := conn.Calls[8].Request.(*authv1.SuspendAccountRequest).GetId(); got != "dev_Dev" {
		t.Errorf("suspended %q", got)
	}
}

func TestImportThatStopsSaysWhereAndKeepsWhatItMade(t *testing.T) {
	conn := &fakeconn.Conn{Answer: func(call fakeconn.Call) (proto.Message, error) {
		if call.Method == "CreateApiKey" {
			return nil, errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.")
		}
		return creating(call)
	}}
	made, err := Import(context.Background(), services(conn), parse(t, file))
	if err == nil || !strings.Contains(err.Error(), "developers[0].apps[0].apiKeys[0]") {
		t.Errorf("error %v does not say where", err)
	}
	if made.Apps["app"].ClientSecret == "" {
		t.Error("the secret of an app that exists is lost")
	}
}

// check runs Check against services that refuse by a function, and gives the
// paths of the faults.
func check(t *testing.T, raw string, refuse func(fakeconn.Call) error) ([]string, error) {
	t.Helper()
	conn := &fakeconn.Conn{Answer: func(call fakeconn.Call) (proto.Message, error) { return nil, refuse(call) }}
	var faults world.Faults
	err := Check(context.Background(), services(conn), parse(t, raw), &faults)
	for _, call := range conn.Calls {
		asked := call.Request.ProtoReflect()
		if upload, ok := call.Request.(*candidatev1.UploadResumeRequest); ok {
			asked = upload.GetDescription().ProtoReflect()
		}
		if !asked.Get(asked.Descriptor().Fields().ByName("validate_only")).Bool() {
			t.Errorf("%s was called to write", call.Method)
		}
	}
	var paths []string
	for _, f := range faults.List() {
		paths = append(paths, f.Path)
		if strings.Contains(f.Message, ": ") {
			t.Errorf("the message %q repeats its field", f.Message)
		}
	}
	return paths, err
}

func invalid(field string) error {
	return errs.New(errs.Invalid, "INVALID_ARGUMENT", "%s: is wrong", field).WithField(field)
}

func TestCheckFindsEveryRefusalWithoutWriting(t *testing.T) {
	paths, err := check(t, file, func(call fakeconn.Call) error {
		switch req := call.Request.(type) {
		case *authv1.CreatePersonRequest:
			switch {
			case req.GetEmail() == "one@vitae.example":
				return errs.New(errs.Exists, "EMAIL_TAKEN", "taken")
			case req.GetEmail() == "":
				return invalid("email") // required: only a stand-in gets past it
			case req.GetPassword() == "demo-password":
				return invalid("password")
			case req.GetPassword() == "":
				return invalid("password")
			}
		case *candidatev1.CreateProfileRequest:
			content := req.GetProfile().GetContent()
			for key := range content.GetSocials() {
				if key == "github" {
					return invalid(`profile.content.socials["github"]`)
				}
			}
			if i := slices.Index(content.GetSkills(), "Go"); i >= 0 {
				return invalid("profile.content.skills[0]")
			}
			if i := slices.Index(content.GetSkills(), "C"); i >= 0 {
				return invalid("profile.content.skills[1]") // it moved up by one
			}
			if e := content.GetExperiences(); len(e) > 1 && e[1].GetStartDate() != nil {
				return invalid("profile.content.experiences[1].start_date")
			}
			if req.GetProfile().GetUsername() == "two" {
				return errs.New(errs.Exists, "USERNAME_TAKEN", "taken")
			}
		case *candidatev1.CreateCvRequest:
			if len(req.GetContent().GetLanguages()) > 0 {
				return invalid("content.languages[0]")
			}
		case *authv1.CreateAppRequest:
			switch {
			case len(req.GetRedirectUris()) > 0:
				return invalid("redirect_uris[0]")
			case req.GetClientType() == authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL:
				return invalid("client_type")
			case req.GetClientType() == authv1.ClientType_CLIENT_TYPE_UNSPECIFIED:
				return invalid("client_type")
			}
		case *authv1.CreateApiKeyRequest:
			return invalid("scopes") // whatever is done
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"people[0].email", "people[0].password",
		"people[0].profile.socials.github", "people[0].profile.skills[0]", "people[0].profile.skills[2]",
		"people[0].profile.experiences[1].startDate", "people[0].cvs[0].document.languages[0]",
		"people[1].password", "people[1].username",
		"developers[0].apps[0].redirectUris[0]", "developers[0].apps[0].clientType", "developers[0].apps[0].apiKeys[0].scopes",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("faults at\n%q, want\n%q", paths, want)
	}
}

// TestNothingIsReportedThatIsNotInTheFile has the services refuse what only a
// stand-in can have brought there.
func TestNothingIsReportedThatIsNotInTheFile(t *testing.T) {
	raw := strings.NewReplacer(`["jobs:read"]`, `["profile", "jobs:read", "email"], "expiresAt": "2020-01-01T00:00:00Z"`).Replace(file)
	paths, err := check(t, raw, func(call fakeconn.Call) error {
		req, ok := call.Request.(*authv1.CreateApiKeyRequest)
		if !ok {
			return nil
		}
		for i, s := range req.GetScopes() {
			if s != "companies:read" {
				return invalid(fmt.Sprintf("scopes[%d]", i))
			}
		}
		switch {
		case len(req.GetScopes()) == 0:
			return invalid("scopes")
		case req.GetExpiresAt() != nil:
			return invalid("expires_at") // behind the scopes: a stand-in that is right leads here
		}
		return nil
	})
	const key = "developers[0].apps[0].apiKeys[0]"
	want := []string{key + ".scopes[0]", key + ".scopes[1]", key + ".scopes[2]", key + ".expiresAt"}
	if err != nil || !slices.Equal(paths, want) {
		t.Errorf("faults at\n%q, want\n%q; %v", paths, want, err)
	}

	paths, err = check(t, employersFile, func(call fakeconn.Call) error {
		req, ok := call.Request.(*partnercatalogv1.CreateJobRequest)
		if !ok || req.GetSaveAs() == partnercatalogv1.SaveAs_SAVE_AS_LIVE {
			return nil
		}
		if list := req.GetContent().GetRequirements(); len(list) > 0 {
			return invalid(fmt.Sprintf("content.requirements[%d]", len(list)-1)) // whatever is in it
		}
		return invalid("content.requirements")
	})
	want = []string{"jobs[1].content.requirements[0]", "jobs[3].content.requirements[0]"}
	if err != nil || !slices.Equal(paths, want) {
		t.Errorf("faults at\n%q, want\n%q; %v", paths, want, err)
	}
}

func TestRefusalThatNamesNoKnownFieldFallsOnTheThingItself(t *testing.T) {
	for _, field := range []string{"", "no_such_field", "name[0]", `plan["x"]`, "###"} {
		paths, err := check(t, `{"developers":[{"ref":"d","name":"D","email":"d@vitae.example","plan":"standard"}]}`,
			func(fakeconn.Call) error {
				return errs.New(errs.Precondition, "REFUSED", "no").WithField(field)
			})
		if err != nil || len(paths) != 1 || !strings.HasPrefix(paths[0], "developers[0]") {
			t.Errorf("field %q: faults at %q, error %v", field, paths, err)
		}
	}
}

func TestServiceThatCannotAnswerIsNoFaultOfTheFile(t *testing.T) {
	down := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.")
	paths, err := check(t, file, func(call fakeconn.Call) error {
		if call.Method == "CreateProfile" {
			return down
		}
		return nil
	})
	if !errors.Is(err, down) || len(paths) != 0 {
		t.Errorf("faults at %q, error %v", paths, err)
	}
}
