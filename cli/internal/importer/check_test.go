package importer

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/proto"

	"vitae.internal/cli/internal/conntest"
	"vitae.internal/cli/internal/world"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/fault"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// check runs Check with services that reject a request if refuse returns an error. It returns the paths of
// all errors.
func check(t *testing.T, raw string, refuse func(conntest.Call) error) ([]string, error) {
	t.Helper()
	conn := &conntest.Conn{Answer: func(call conntest.Call) (proto.Message, error) { return nil, refuse(call) }}
	var faults world.Faults
	err := Check(context.Background(), services(conn), parse(t, raw), &faults)
	for _, call := range conn.Calls {
		asked := call.Request.ProtoReflect()
		if upload, ok := call.Request.(*candidatev1.UploadResumeRequest); ok {
			asked = upload.GetDescription().ProtoReflect()
		}
		if !asked.Get(asked.Descriptor().Fields().ByName("validate_only")).Bool() {
			t.Errorf("%s was called without validate_only", call.Method)
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

// invalid returns the error that services return for invalid fields in a dry run.
func invalid(fields ...string) error {
	faults := fault.Argument()
	for _, field := range fields {
		faults.Add(field, "is wrong")
	}
	return faults.Err()
}

func TestCheckReportsPersonAndAppErrors(t *testing.T) {
	paths, err := check(t, file, func(call conntest.Call) error {
		switch req := call.Request.(type) {
		case *authv1.CreatePersonRequest:
			if req.GetEmail() == "one@vitae.example" {
				return errs.New(errs.Exists, "EMAIL_TAKEN", "taken").WithField("email")
			}
			return invalid("password", "email")
		case *candidatev1.CreateProfileRequest:
			if req.GetProfile().GetUsername() == "two" {
				return errs.New(errs.Exists, "USERNAME_TAKEN", "taken").WithField("profile.username")
			}
			return invalid("profile.name", `profile.content.socials["github"]`, "profile.content.skills[0]", "profile.content.skills[2]",
				"profile.content.experiences[1].start_date", "profile.content", "profile.avatar_url")
		case *candidatev1.CreateCvRequest:
			return invalid("title", "content.languages[0]")
		case *authv1.CreateAppRequest:
			return invalid("redirect_uris[0]", "client_type")
		case *authv1.CreateApiKeyRequest:
			return invalid("scopes[0]", "expires_at")
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	want := []string{
		"people[0].email",
		"people[0].name", "people[0].profile.socials.github", "people[0].profile.skills[0]", "people[0].profile.skills[2]",
		"people[0].profile.experiences[1].startDate", "people[0].profile", "people[0].avatarUrl",
		"people[0].cvs[0].title", "people[0].cvs[0].document.languages[0]",
		"people[1].password", "people[1].email", "people[1].username",
		"developers[0].apps[0].redirectUris[0]", "developers[0].apps[0].clientType",
		"developers[0].apps[0].apiKeys[0].scopes[0]", "developers[0].apps[0].apiKeys[0].expiresAt",
	}
	if !slices.Equal(paths, want) {
		t.Errorf("faults at\n%q, want\n%q", paths, want)
	}
}

func TestCheckSendsEachObjectOnce(t *testing.T) {
	conn := &conntest.Conn{Answer: func(conntest.Call) (proto.Message, error) { return nil, invalid("no_such_field") }}
	var faults world.Faults
	if err := Check(context.Background(), services(conn), parse(t, file), &faults); err != nil {
		t.Fatal(err)
	}
	want := []string{"CreatePerson", "CreateProfile", "CreateCv", "CreatePerson", "CreateProfile",
		"CreateAccount", "CreateApp", "CreateApiKey", "CreateAccount"}
	if got := conn.Methods(); !slices.Equal(got, want) {
		t.Errorf("calls %q, want %q", got, want)
	}
}

// The services reject fields that the importer sets and that are not in the file.
func TestImporterFieldsAreNotReported(t *testing.T) {
	paths, err := check(t, file, func(call conntest.Call) error {
		switch call.Request.(type) {
		case *candidatev1.CreateProfileRequest:
			return invalid("profile.person_id")
		case *candidatev1.CreateCvRequest:
			return invalid("person_id", "title")
		case *authv1.CreateAppRequest:
			return invalid("account_id")
		case *authv1.CreateApiKeyRequest:
			return invalid("app_id", "validate_only", "scopes[0]")
		}
		return nil
	})
	want := []string{
		"people[0]", "people[0].cvs[0]", "people[0].cvs[0].title", "people[1]",
		"developers[0].apps[0]", "developers[0].apps[0].apiKeys[0]", "developers[0].apps[0].apiKeys[0]", "developers[0].apps[0].apiKeys[0].scopes[0]",
	}
	if err != nil || !slices.Equal(paths, want) {
		t.Errorf("faults at\n%q, want\n%q; %v", paths, want, err)
	}
}

func TestUnknownFieldIsReportedForItsObject(t *testing.T) {
	for field, want := range map[string]string{
		"": "developers[0]", "no_such_field": "developers[0]", "###": "developers[0]", "name[0]": "developers[0].name",
		`plan["x"]`: "developers[0].plan", "plan.no_such_field": "developers[0].plan", "plan.per_day": "developers[0].plan.perDay",
	} {
		paths, err := check(t, `{"developers":[{"ref":"d","name":"D","email":"d@vitae.example","plan":"standard"}]}`,
			func(conntest.Call) error {
				return errs.New(errs.Precondition, "REFUSED", "no").WithField(field)
			})
		if err != nil || !slices.Equal(paths, []string{want}) {
			t.Errorf("field %q: faults at %q, error %v", field, paths, err)
		}
	}
	paths, err := check(t, `{"developers":[{"ref":"d","name":"D","email":"d@vitae.example","plan":"standard"}]}`,
		func(conntest.Call) error { return errs.New(errs.Exists, "THERE_ALREADY", "no") })
	if err != nil || !slices.Equal(paths, []string{"developers[0]"}) {
		t.Errorf("without a field: faults at %q, error %v", paths, err)
	}
}

func TestNestedFieldErrorsAreAllListed(t *testing.T) {
	paths, err := check(t, file, func(call conntest.Call) error {
		if call.Method == "CreateCv" {
			return invalid("content.languages[0]", "content.languages", "content")
		}
		return nil
	})
	want := []string{"people[0].cvs[0].document.languages[0]", "people[0].cvs[0].document.languages", "people[0].cvs[0].document"}
	if err != nil || !slices.Equal(paths, want) {
		t.Errorf("faults at %q, want %q; %v", paths, want, err)
	}
}

func TestUnavailableServiceIsNotFileError(t *testing.T) {
	down := errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "The service cannot answer now.")
	paths, err := check(t, file, func(call conntest.Call) error {
		if call.Method == "CreateProfile" {
			return down
		}
		return nil
	})
	if !errors.Is(err, down) || len(paths) != 0 {
		t.Errorf("faults at %q, error %v", paths, err)
	}
}
