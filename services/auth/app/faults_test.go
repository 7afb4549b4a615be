package app_test

import (
	"slices"
	"strings"
	"testing"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/testkit"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// dryRuns are requests that break several rules of the .proto files and of the service, with the paths of all
// invalid fields. They need a person with the email address taken@example.com.
var dryRuns = map[string]struct {
	call func(*world) error
	want []string
}{
	"CreatePerson": {func(w *world) error {
		_, err := w.people.CreatePerson(w.Context(), &authv1.CreatePersonRequest{Email: "nobody\x00", Password: "short", ValidateOnly: true})
		return err
	}, []string{"password", "email"}},
	"CreatePerson with an address that is taken": {func(w *world) error {
		_, err := w.people.CreatePerson(w.Context(), &authv1.CreatePersonRequest{Email: "Taken@example.com", Password: "short", ValidateOnly: true})
		return err
	}, []string{"password", "email"}},
	"CreateAccount": {func(w *world) error {
		_, err := w.developers.CreateAccount(w.Context(), &authv1.CreateAccountRequest{
			Name: "a\x00b", Email: "nobody", Plan: &authv1.Plan{Name: authv1.PlanName_PLAN_NAME_CUSTOM}, ValidateOnly: true,
		})
		return err
	}, []string{"email", "plan.per_minute", "plan.per_day", "name"}},
	"CreateAccount with a plan that is unknown": {func(w *world) error {
		_, err := w.developers.CreateAccount(w.Context(), &authv1.CreateAccountRequest{
			Email: "nobody", Plan: &authv1.Plan{Name: 99, PerDay: -1}, ValidateOnly: true,
		})
		return err
	}, []string{"name", "plan.name", "plan.per_day", "email"}},
	"CreateApp": {func(w *world) error {
		_, err := w.developers.CreateApp(w.Context(), &authv1.CreateAppRequest{
			AccountId: "later", Name: " ", LogoUrl: "javascript:alert(1)", ClientType: public, Legacy: true, ValidateOnly: true,
			RedirectUris: []string{"", redirectURI, redirectURI, "http://partner.example/"}, Scopes: []string{"jobs:read", "profile", "all"},
		})
		return err
	}, []string{"name", "logo_url", "redirect_uris[0]", "redirect_uris[2]", "redirect_uris[3]", "legacy", "scopes[0]", "scopes[2]"}},
	"CreateApp without anything": {func(w *world) error {
		_, err := w.developers.CreateApp(w.Context(), &authv1.CreateAppRequest{Scopes: []string{"cv:contact"}, ValidateOnly: true})
		return err
	}, []string{"account_id", "name", "client_type", "scopes"}},
	"CreateApiKey": {func(w *world) error {
		_, err := w.developers.CreateApiKey(w.Context(), &authv1.CreateApiKeyRequest{
			AppId: "later", Name: strings.Repeat("x", 201), Scopes: []string{"profile", "jobs:read", "email"},
			ExpiresAt: timestamppb.New(started), ValidateOnly: true,
		})
		return err
	}, []string{"name", "scopes[0]", "scopes[2]", "expires_at"}},
}

func TestDryRunListsEveryInvalidField(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	w.person("taken@example.com")
	for name, run := range dryRuns {
		e, ok := errs.As(run.call(w))
		if !ok || e.Kind != errs.Invalid || e.Code != "INVALID_ARGUMENT" {
			t.Errorf("%s: %v", name, e)
			continue
		}
		var paths []string
		for _, v := range e.Violations {
			paths = append(paths, v.Field)
		}
		if !slices.Equal(paths, run.want) {
			t.Errorf("%s: invalid fields %q, want %q", name, paths, run.want)
		}
	}
}

func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	c := w.confidential()
	testkit.DryRunsWriteNothing(t, w.ownerURL, "vitae.auth.v1", map[string]func() error{
		authv1.PeopleService_CreatePerson_FullMethodName: func() error {
			_, err := w.people.CreatePerson(w.Context(), &authv1.CreatePersonRequest{Email: "a@example.com", Password: plainWord, ValidateOnly: true})
			return err
		},
		authv1.DeveloperService_CreateAccount_FullMethodName: func() error {
			_, err := w.developers.CreateAccount(w.Context(), &authv1.CreateAccountRequest{Name: "Partner", Email: "b@example.com", ValidateOnly: true})
			return err
		},
		authv1.DeveloperService_CreateApp_FullMethodName: func() error {
			_, err := w.developers.CreateApp(w.Context(), &authv1.CreateAppRequest{
				AccountId: c.app.GetAccountId(), Name: "Partner site", ClientType: public,
				RedirectUris: []string{redirectURI}, Scopes: []string{"profile"}, ValidateOnly: true,
			})
			return err
		},
		authv1.DeveloperService_CreateApiKey_FullMethodName: func() error {
			_, err := w.developers.CreateApiKey(w.Context(), &authv1.CreateApiKeyRequest{
				AppId: c.app.GetId(), Name: "k", Scopes: []string{"jobs:read"}, ValidateOnly: true,
			})
			return err
		},
	})
}

func TestUnstorableIDsAreNotFound(t *testing.T) {
	t.Parallel()
	w := newWorld(t)
	const odd = "a\x00b"
	errOf := func(_ any, err error) error { return err }
	for code, calls := range map[string][]error{
		"PERSON_NOT_FOUND": {
			errOf(w.people.GetPerson(t.Context(), &authv1.GetPersonRequest{By: &authv1.GetPersonRequest_Id{Id: odd}})),
			errOf(w.people.GetPerson(t.Context(), &authv1.GetPersonRequest{By: &authv1.GetPersonRequest_Email{Email: odd}})),
		},
		"ACCOUNT_NOT_FOUND": {
			errOf(w.ledger.ListUsage(t.Context(), &authv1.ListUsageRequest{AccountId: odd})),
			errOf(w.ledger.ListRequests(t.Context(), &authv1.ListRequestsRequest{AccountId: odd})),
		},
		"SIGN_IN_FAILED": {w.signIn(odd, plainWord, "203.0.113.7").err},
		"INVALID_ARGUMENT": {
			errOf(w.usage.RecordRequests(t.Context(), &authv1.RecordRequestsRequest{BatchId: "bat_1", Counts: []*authv1.AccountUsage{used(odd, "2026-03-01", "app_1", "", 1)}})),
			errOf(w.usage.RecordRequests(t.Context(), &authv1.RecordRequestsRequest{BatchId: odd})),
		},
	} {
		for _, err := range calls {
			wantCode(t, err, code)
		}
	}
	if n := w.spent(odd, "2026-03-01"); n != 0 {
		t.Errorf("%d requests of an unknown account were charged", n)
	}
}
