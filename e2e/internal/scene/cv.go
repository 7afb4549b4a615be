package scene

import (
	"fmt"
	"strings"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/suite"
	"vitae.internal/e2e/internal/world"
)

// LinkURL matches the URL of a durable link of the shared stack.
var LinkURL expect.Matcher = func(v any) error {
	if s, _ := v.(string); !strings.HasPrefix(s, suite.System.BaseURLs[0]+"/v1/cv-links/") {
		return fmt.Errorf("%v is not a durable link", v)
	}
	return nil
}

// PhotoURL matches the URL of a photo of the shared stack.
var PhotoURL expect.Matcher = func(v any) error {
	if s, _ := v.(string); !strings.HasPrefix(s, suite.System.BaseURLs[0]+"/v1/photos/") || len(s) > 255 {
		return fmt.Errorf("%v is not a photo URL", v)
	}
	return nil
}

// EnglishCV returns the expected response to GET /v1/me/cv for the main CV of world.Full with the given
// scopes, with or without the photo.
func EnglishCV(p world.Person, scopes string, photo bool) map[string]any {
	document := EnglishDocument(p)
	cv := map[string]any{
		"id": "master", "title": "Main CV", "updatedAt": expect.Timestamp, "isMainCv": true, "language": "en", "document": document,
		"personalDetails": nil, "publicProfileUrl": publicPage(p),
		"pdf": map[string]any{"url": LinkURL, "contentType": "application/pdf"},
	}
	if photo {
		document["avatarUrl"] = PhotoURL
	}
	if Granted(scopes, "email") {
		document["contactEmail"] = p.Email
	}
	if Granted(scopes, "cv:contact") {
		document["socials"].(map[string]any)["phone"], document["location"] = world.Phone, world.Address
		details := map[string]any{"nationalService": nil}
		for k, v := range world.PersonalDetails() {
			details[k] = v
		}
		cv["personalDetails"] = details
	}
	return cv
}

func publicPage(p world.Person) string { return suite.System.AppURLs[0] + "/p/" + p.Username }

// EnglishDocument returns the expected content of the main CV of world.Full for an app with only
// cv:read.
func EnglishDocument(p world.Person) map[string]any {
	return map[string]any{
		"username": p.Username, "publicCvUrl": publicPage(p) + "/cv", "name": "Layla Haddad", "title": "Backend engineer",
		"summary": "Builds payment systems that stay up.", "bio": "Engineer, mentor, cyclist.",
		"location": world.City, "avatarUrl": nil, "contactEmail": nil, "isUaePassVerified": true, "openToWork": true,
		"socials":     map[string]any{"linkedin": "https://www.linkedin.com/in/layla", "github": "https://github.com/layla"},
		"skills":      []any{"Kafka", "PostgreSQL", "Redis"},
		"skillGroups": []any{map[string]any{"category": "Databases", "items": []any{"PostgreSQL", "Redis"}}},
		"languages":   []any{"English (fluent)", "Arabic (native)"},
		"highlights": []any{
			map[string]any{"id": "talk", "title": "Speaker", "desc": "GopherCon 2024"},
			map[string]any{"title": "Mentor", "desc": "Twelve juniors"}, // imported without an id, so the response has none
		},
		"experiences": []any{
			map[string]any{
				"id": "now", "title": "Lead engineer", "company": "Careem", "location": world.City, "locationType": "hybrid",
				"employmentType": "full_time", "startDate": "2019-01", "endDate": nil, "current": true,
				"overview": "Leads the ledger team.", "bullets": []any{"Halved settlement time", "Hired eight engineers"},
			},
			map[string]any{
				"id": "old", "title": "Engineer", "company": "Souq", "location": nil, "locationType": nil, "employmentType": nil,
				"startDate": "2015-01", "endDate": "2018-12", "current": false, "overview": nil, "bullets": []any{},
			},
		},
		"educations": []any{
			map[string]any{
				"id": "uni", "school": "University of Jordan", "degree": "BSc", "fieldOfStudy": "Computer science",
				"startDate": "2008-09", "endDate": "2012-06", "description": "With honours.",
			},
			map[string]any{"id": "school", "school": "Amman Academy", "degree": nil, "fieldOfStudy": nil, "startDate": nil, "endDate": nil, "description": nil},
		},
		"certifications": []any{
			map[string]any{"id": "cka", "name": "CKA", "issuer": "CNCF", "issueDate": "2021-03", "expirationDate": "2024-03", "credentialUrl": "https://example.com/cka"},
			map[string]any{"id": "first-aid", "name": "First aid", "issuer": "Red Crescent", "issueDate": nil, "expirationDate": nil, "credentialUrl": nil},
		},
		"projects": []any{
			map[string]any{
				"id": "ledger", "title": "Open ledger", "description": "A ledger library.", "image": "https://example.com/l.png",
				"link": "https://example.com/ledger", "technologies": []any{"Go", "SQL"},
			},
			map[string]any{"id": "blog", "title": "Blog", "description": nil, "image": nil, "link": nil, "technologies": []any{}},
		},
	}
}
