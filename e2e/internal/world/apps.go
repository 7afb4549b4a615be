package world

// AllScopes lists the scopes for personal data, in the order of the service.
var AllScopes = []string{"profile", "email", "cv:read", "cv:contact"}

// EveryScope is AllScopes as a scope parameter (RFC 6749 §3.3).
const EveryScope = "profile email cv:read cv:contact"

// Redirect is the redirect URI of every app. Nothing listens there; package person does not follow it.
const Redirect = "https://partner.example.com/callback"

// OneDeveloper returns an account with a confidential app ("web") and a public app ("mobile"), both
// with every scope.
func OneDeveloper() Developer {
	u := Unique()
	return Developer{
		Ref: "dev", Name: "Acme " + u, Email: "dev-" + u + "@example.com", Plan: WidePlan(),
		Apps: []App{
			{Ref: "web", Name: "Acme Jobs " + u, ClientType: "confidential", RedirectURIs: []string{Redirect}, Scopes: AllScopes},
			{Ref: "mobile", Name: "Acme Mobile " + u, ClientType: "public", RedirectURIs: []string{Redirect, "http://127.0.0.1/done", "com.example.acme:/done"}, Scopes: AllScopes},
		},
	}
}

// OtherDeveloper returns a different account, with a confidential app ("other").
func OtherDeveloper() Developer {
	u := Unique()
	return Developer{
		Ref: "stranger", Name: "Stranger " + u, Email: "stranger-" + u + "@example.com", Plan: WidePlan(),
		Apps: []App{{Ref: "other", Name: "Stranger " + u, ClientType: "confidential", RedirectURIs: []string{Redirect}, Scopes: AllScopes}},
	}
}

// LegacyDeveloper returns an account with two apps that may use the legacy interface ("older",
// "oldest") and one that may not ("newer").
func LegacyDeveloper() Developer {
	u := Unique()
	app := func(ref string, legacy bool) App {
		return App{
			Ref: ref, Name: ref + " " + u, ClientType: "confidential", RedirectURIs: []string{Redirect},
			Scopes: AllScopes, Legacy: legacy,
		}
	}
	return Developer{
		Ref: "dev", Name: "Vintage " + u, Email: "dev-" + u + "@example.com", Plan: WidePlan(),
		Apps: []App{app("older", true), app("oldest", true), app("newer", false)},
	}
}

// WidePlan returns a plan that suffices for all tests that do not test limits.
func WidePlan() any { return Plan(1_000_000, 10_000_000) }

// Plan returns a custom plan with the given numbers of requests.
func Plan(perMinute, perDay int) any { return map[string]int{"perMinute": perMinute, "perDay": perDay} }
