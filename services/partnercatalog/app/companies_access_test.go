package app_test

import (
	"context"
	"testing"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
	partnercatalogv1 "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// companyMethods returns, for each method of CompanyService, a function that calls it for the
// company with the given id.
func companyMethods(client partnercatalogv1.CompanyServiceClient, id string) map[string]func(context.Context) error {
	return map[string]func(context.Context) error{
		"ListCompanies": func(ctx context.Context) error {
			_, err := client.ListCompanies(ctx, &partnercatalogv1.ListCompaniesRequest{})
			return err
		},
		"GetCompany": func(ctx context.Context) error {
			_, err := client.GetCompany(ctx, &partnercatalogv1.GetCompanyRequest{CompanyId: id})
			return err
		},
		"CreateCompany": func(ctx context.Context) error {
			_, err := client.CreateCompany(ctx, createRequest("Acme"))
			return err
		},
		"UpdateCompany": func(ctx context.Context) error {
			_, err := client.UpdateCompany(ctx, &partnercatalogv1.UpdateCompanyRequest{
				CompanyId: id, Name: "Acme", UpdateMask: &fieldmaskpb.FieldMask{Paths: []string{"name"}},
			})
			return err
		},
	}
}

// companyScopes maps each method of CompanyService to the scope that it requires.
var companyScopes = map[string]string{
	"ListCompanies": "companies:read", "GetCompany": "companies:read",
	"CreateCompany": "companies:write", "UpdateCompany": "companies:write",
}

func TestCompaniesRequireKeyWithScope(t *testing.T) {
	t.Parallel()
	r := start(t)
	id := r.create("app_1", createRequest("Acme")).GetId()
	for method, call := range companyMethods(r.companies, id) {
		scope := companyScopes[method]
		for name, tc := range map[string]struct {
			principal *identityv1.Principal
			want      string // the error code, or "" for success
		}{
			"no principal":             {nil, "PRINCIPAL_MISSING"},
			"key with the scope":       {as(apiKey, "app_1", scope), ""},
			"key without scopes":       {as(apiKey, "app_1"), "API_KEY_INSUFFICIENT_SCOPE"},
			"key with other scopes":    {as(apiKey, "app_1", others(scope)...), "API_KEY_INSUFFICIENT_SCOPE"},
			"key with user scopes":     {as(apiKey, "app_1", "profile", "cv:read"), "API_KEY_INSUFFICIENT_SCOPE"},
			"key without an app":       {as(apiKey, "", scope), "PRINCIPAL_MISSING"},
			"token with company scope": {as(token, "app_1", scope), "OAUTH_INSUFFICIENT_SCOPE"},
			"token with user scope":    {as(token, "app_1", "profile"), "OAUTH_INSUFFICIENT_SCOPE"},
			"credential without kind":  {as(0, "app_1", scope), "OAUTH_INSUFFICIENT_SCOPE"},
			"durable link with scope":  {as(link, "app_1", scope), "OAUTH_INSUFFICIENT_SCOPE"},
		} {
			ctx := t.Context()
			if tc.principal != nil {
				ctx = principal.NewContext(ctx, tc.principal)
			}
			if err := call(ctx); tc.want == "" && err != nil || tc.want != "" && !errs.HasCode(err, tc.want) {
				t.Errorf("%s with %s: %v, want %q", method, name, err, tc.want)
			}
		}
	}
}

const (
	apiKey = identityv1.CredentialKind_CREDENTIAL_KIND_API_KEY
	token  = identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN
	link   = identityv1.CredentialKind_CREDENTIAL_KIND_CV_LINK
)

func as(kind identityv1.CredentialKind, appID string, scopes ...string) *identityv1.Principal {
	return &identityv1.Principal{Kind: kind, AccountId: "dev_1", AppId: appID, Scopes: scopes}
}

// others returns the company scopes without the given one.
func others(scope string) []string {
	var out []string
	for _, s := range []string{"companies:read", "companies:write", "jobs:read", "jobs:write", "candidates:read"} {
		if s != scope {
			out = append(out, s)
		}
	}
	return out
}

func TestOnlyListedCallersReachCompanies(t *testing.T) {
	t.Parallel()
	r := start(t)
	ctx := r.key("app_1")
	id := r.create("app_1", createRequest("Acme")).GetId()
	for _, caller := range []string{"gateway", "vitaectl", "internal", "candidate", "cvrender"} {
		conn := r.dial(caller)
		partner := caller == "gateway" || caller == "vitaectl" || caller == "internal"
		for method, call := range companyMethods(partnercatalogv1.NewCompanyServiceClient(conn), id) {
			if err := call(ctx); partner && err != nil || !partner && !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
				t.Errorf("%s calls %s: %v", caller, method, err)
			}
		}
		team := caller == "vitaectl" || caller == "internal"
		pages := partnercatalogv1.NewCompanyPageServiceClient(conn)
		_, err := pages.GetCompanyPage(ctx, &partnercatalogv1.GetCompanyPageRequest{CompanyId: id})
		if team && err != nil || !team && !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
			t.Errorf("%s calls GetCompanyPage: %v", caller, err)
		}
		_, err = pages.SetCompanyPage(ctx, &partnercatalogv1.SetCompanyPageRequest{CompanyId: id, Published: ptr(true)})
		if team && err != nil || !team && !errs.HasCode(err, "CALLER_NOT_ALLOWED") {
			t.Errorf("%s calls SetCompanyPage: %v", caller, err)
		}
	}
}
