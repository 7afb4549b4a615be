package generate

import (
	_ "embed"
	"strings"

	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/gateway/internal/api/openapi/model"
	"vitae.internal/pkg/scope"
)

const (
	version = "3.1.1"
	title   = "Vitae: sign-in, CV sharing and partner API"
	baseURL = openapi.BaseURL
	appURL  = openapi.AppURL
)

// These are the tags, in the order in which partners need them. The contracts describe their own tags.
const (
	tagOAuth         = "OAuth"
	tagUser          = "Signed-in user"
	tagLinks         = "CV links"
	tagCompanies     = "Companies"
	tagJobs          = "Jobs"
	tagCandidates    = "Candidates"
	tagSpecification = "Specification"
)

//go:embed introduction.md
var introduction string

func (b *builder) introduce() {
	d := &b.doc
	d.OpenAPI = version
	d.Info = model.Info{
		Title: title, Version: "2.0.0", Summary: "Let people sign in and share a CV, and post jobs for employers.", Description: introduction,
		Contact: model.Contact{Name: "Developer support", URL: appURL + "/docs"},
		License: model.License{Name: "For partners of the deployment", URL: appURL + "/docs"},
	}
	d.ExternalDocs = &model.ExternalDocs{Description: "Guides", URL: appURL + "/docs"}
	d.Servers = []model.Server{{URL: baseURL, Description: "This deployment"}}
	d.Tags = []model.Tag{
		{Name: tagOAuth, Description: "Sign-in by the authorization code flow with PKCE (RFC 6749, 7636), refresh, revocation (RFC 7009), introspection (RFC 7662) and discovery (RFC 8414). Not versioned: the endpoints implement published standards."},
		{Name: tagUser},
		{Name: tagLinks, Description: "Durable links to the PDF of a shared CV, for anyone who has the link."},
		{Name: tagCompanies},
		{Name: tagJobs},
		{Name: tagCandidates},
		{Name: tagSpecification, Description: "This document."},
	}
	b.schemes()
}

// scopeTexts describes what each user scope grants (behaviour: sign-in#user-scopes).
var scopeTexts = map[string]string{
	scope.Profile:   "Name, username, headline, language and public profile link; the photo only if the person allows it.",
	scope.Email:     "The verified email address of the account.",
	scope.CVRead:    "The CV that the person chose to share, kept current, as structured data and PDF.",
	scope.CVContact: "Phone, full address, date of birth, nationality and similar personal details of that CV.",
}

func (b *builder) schemes() {
	flow := model.Flow{AuthorizationURL: baseURL + "/oauth/authorize", TokenURL: baseURL + "/oauth/token", RefreshURL: baseURL + "/oauth/token"}
	for _, s := range scope.User() {
		flow.Scopes.Set(s, scopeTexts[s])
	}
	all := &b.doc.Components.SecuritySchemes
	all.Set(oauthScheme, model.SecurityScheme{
		Type: "oauth2", Flows: &model.Flows{AuthorizationCode: flow},
		Description: "Access token of a person, `svc_at_…`, sent as `Authorization: Bearer …`. It lives one hour. PKCE with `S256` is required of every client.",
	})
	all.Set(keyScheme, model.SecurityScheme{
		Type: "http", Scheme: "bearer", BearerFormat: "svc_sk_…",
		Description: "API key of your app, sent as `Authorization: Bearer …`, from servers only. Its scopes, chosen when it is made, are " + listed(scope.Company()) + "; each operation names the one that it needs.",
	})
	all.Set(clientScheme, model.SecurityScheme{
		Type: "http", Scheme: "basic",
		Description: "Client id and client secret of a confidential client, each form-encoded first (RFC 6749 §2.3.1). Without it, send `client_id` and `client_secret` in the body; a public client sends `client_id` alone.",
	})
}

// listed joins words for use in a sentence: `a`, `b` and `c`.
func listed(words []string) string {
	last := len(words) - 1
	return "`" + strings.Join(words[:last], "`, `") + "` and `" + words[last] + "`"
}
