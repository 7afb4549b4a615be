package world

import "maps"

// Fields is a JSON object for a company or a job, in a request body or a world file.
type Fields map[string]any

// With returns a copy with one value set. A nil value is written as null.
func (f Fields) With(key string, value any) Fields {
	out := maps.Clone(f)
	out[key] = value
	return out
}

// Without returns a copy without some keys.
func (f Fields) Without(keys ...string) Fields {
	out := maps.Clone(f)
	for _, k := range keys {
		delete(out, k)
	}
	return out
}

// CompanyScopes lists the scopes of API keys, in the order of the service.
var CompanyScopes = []string{"companies:read", "companies:write", "jobs:read", "jobs:write", "candidates:read"}

// Platform returns an account with an app that acts for employers ("ats"), its API key with every scope
// ("ats-key"), and a second app ("sibling", "sibling-key").
func Platform() Developer { return platform("platform", "ats", "sibling") }

// PlatformOf is like Platform with the given apps. An app has at most 50 keys.
func PlatformOf(apps ...string) Developer { return platform("platform", apps...) }

// OtherPlatform returns a different account, with the app "rival" and its key "rival-key".
func OtherPlatform() Developer { return platform("rival-platform", "rival") }

func platform(ref string, apps ...string) Developer {
	u := Unique()
	d := Developer{
		Ref: ref, Name: "Platform " + u, Email: ref + "-" + u + "@example.com",
		Plan: WidePlan(),
	}
	for _, app := range apps {
		d.Apps = append(d.Apps, App{
			Ref: app, Name: app + " " + u, ClientType: "confidential", RedirectURIs: []string{Redirect}, Scopes: AllScopes,
			APIKeys: []APIKey{{Ref: app + "-key", Name: app, Scopes: CompanyScopes}},
		})
	}
	return d
}

// About is a company description with the minimum length of 50 characters.
const About = "We keep the lights of forty branches on, all night"

// Company returns a body for POST /v1/companies with only the required fields.
func Company() Fields {
	return Fields{
		"name": "Noor Telecom " + Unique(), "industry": "Telecommunications", "employeeCount": "51-200",
		"location": City, "description": About,
	}
}

// FullCompany returns a body for POST /v1/companies with every field.
func FullCompany() Fields {
	u := Unique()
	return Company().With("slug", "noor-"+u).With("website", "https://noor.example.com/about").
		With("logo", "https://noor.example.com/logo.png").With("externalId", "ext-"+u)
}

// Draft returns a body for POST .../jobs with only the required fields. The job can be published.
func Draft() Fields {
	return Fields{
		"saveAs": "draft",
		"basics": Fields{
			"title": "Network engineer", "workMode": "remote", "employment": "full_time", "seniority": "senior",
		},
		"content": Fields{
			"summary": "Keeps the network up.", "responsibilities": []any{"Run the backbone"}, "requirements": []any{"Knows BGP"},
		},
		"distribution": "tabbio_and_company",
	}
}

// Live returns the body of Draft for a job that is published immediately.
func Live() Fields { return Draft().With("saveAs", "live") }

// Questions returns a question of every type.
func Questions() []any {
	return []any{
		Fields{"id": "visa", "prompt": "Do you need a visa?", "type": "yes_no", "required": true, "order": 0, "source": "custom"},
		Fields{
			"id": "shift", "prompt": "Which shift?", "type": "multiple_choice", "required": true, "order": 1,
			"options": []any{"Day", "Night"}, "source": "custom",
		},
		Fields{"id": "notice", "prompt": "Notice period?", "type": "short_answer", "required": false, "order": 2, "source": "default", "defaultKey": "availability"},
		Fields{"id": "why", "prompt": "Why you?", "type": "long_answer", "required": false},
		Fields{"id": "years", "prompt": "Years of experience?", "type": "number", "required": true, "order": 4, "source": "default", "defaultKey": "experience_years"},
	}
}

// FullJob returns a body for POST .../jobs with every field, for a live job.
func FullJob() Fields {
	return Fields{
		"saveAs": "live",
		"basics": Fields{
			"title": "Network engineer", "department": "Backbone", "country": "United Arab Emirates", "city": "Dubai",
			"workMode": "hybrid", "employment": "contract", "seniority": "lead",
		},
		"content": Fields{
			"summary": "Keeps the network up.\n\nAll of it.", "responsibilities": []any{"Run the backbone", "Mentor"},
			"requirements": []any{"Knows BGP"}, "niceToHave": []any{"Speaks Arabic"}, "benefits": []any{"Health insurance", "Flights home"},
		},
		"compensation": Fields{"min": 18000, "max": 25000.5, "currency": "AED", "period": "monthly", "visible": true},
		"eligibility": Fields{
			"candidateLocation": "gcc", "experienceYears": "5_plus", "language": "english_or_arabic", "workEligibility": "eligible_or_sponsorship",
		},
		"workforceProgramme": Fields{"value": "emiratisation", "note": "Ask HR", "acknowledged": true},
		"questions":          Questions(),
		"distribution":       "company_page_only",
		"confidential":       Fields{"enabled": false, "publicLabel": "A telecom company"},
	}
}
