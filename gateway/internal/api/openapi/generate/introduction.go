package generate

import (
	_ "embed"

	"vitae.internal/gateway/internal/api/openapi"
)

const (
	version = "3.1.1"
	title   = "Vitae: sign-in, CV sharing and partner API"
	baseURL = openapi.BaseURL
	appURL  = openapi.AppURL
)

// Tags, in the order in which a partner meets them.
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
	d.Info = Info{
		Title: title, Version: "2.0.0", Summary: "Let people sign in and share a CV, and post jobs for employers.", Description: introduction,
		Contact: Contact{Name: "Developer support", URL: appURL + "/docs"},
		License: License{Name: "For partners of the deployment", URL: appURL + "/docs"},
	}
	d.ExternalDocs = &ExternalDocs{Description: "Guides", URL: appURL + "/docs"}
	d.Servers = []Server{{URL: baseURL, Description: "This deployment"}}
	d.Tags = []Tag{
		{tagOAuth, "Sign-in by the authorization code flow with PKCE (RFC 6749, 7636), refresh, revocation (RFC 7009), introspection (RFC 7662) and discovery (RFC 8414). Not versioned: the endpoints implement published standards."},
		{tagUser, "What an app reads of a person who signed in, with the person's access token."},
		{tagLinks, "Durable links to the PDF of a shared CV, for whoever has the address."},
		{tagCompanies, "Company pages of the employers that your app acts for, with an API key."},
		{tagJobs, "Jobs of these companies: draft, live, closed, archived."},
		{tagCandidates, "Applicants to these jobs, with the CV that they submitted."},
		{tagSpecification, "This document."},
	}
	b.schemes()
}

// scopes are those of user access tokens (spec: User scopes).
var scopes = [][2]string{
	{"profile", "Name, username, headline, language and public profile link; the photo only if the person allows it."},
	{"email", "The verified e-mail address of the account."},
	{"cv:read", "The CV that the person chose to share, kept current, as structured data and PDF."},
	{"cv:contact", "Phone, full address, date of birth, nationality and similar personal details of that CV."},
}

func (b *builder) schemes() {
	flow := Flow{AuthorizationURL: baseURL + "/oauth/authorize", TokenURL: baseURL + "/oauth/token", RefreshURL: baseURL + "/oauth/token"}
	for _, s := range scopes {
		flow.Scopes.Set(s[0], s[1])
	}
	all := &b.doc.Components.SecuritySchemes
	all.Set(oauthScheme, SecurityScheme{
		Type: "oauth2", Flows: &Flows{flow},
		Description: "Access token of a person, `svc_at_…`, sent as `Authorization: Bearer …`. It lives one hour. PKCE with `S256` is required of every client.",
	})
	all.Set(keyScheme, SecurityScheme{
		Type: "http", Scheme: "bearer", BearerFormat: "svc_sk_…",
		Description: "API key of your app, sent as `Authorization: Bearer …`, from servers only. Its scopes, chosen when it is made, are `companies:read`, `companies:write`, `jobs:read`, `jobs:write` and `candidates:read`; each operation names the one that it needs.",
	})
	all.Set(clientScheme, SecurityScheme{
		Type: "http", Scheme: "basic",
		Description: "Client id and client secret of a confidential client, each form-encoded first (RFC 6749 §2.3.1). Without it, `client_id` and `client_secret` stand in the body; a public client sends `client_id` alone.",
	})
}
