package e2e_test

import (
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

func TestSharedCVHasExactlyTheFieldsOfItsScopes(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	combinations(func(scope string, photo bool) {
		c := connected{scene: s, app: app, person: layla}
		c.tokens = connect(t, app, layla, allScopes, person.Choice{Drop: without(scope), Photo: photo})
		if !granted(scope, "cv:read") {
			for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
				a := c.get(t, path)
				refused(t, a, http.StatusForbidden, "OAUTH_INSUFFICIENT_SCOPE")
				if h := a.Header.Get("WWW-Authenticate"); !strings.Contains(h, `error="insufficient_scope"`) {
					t.Errorf("WWW-Authenticate %q (RFC 6750 §3.1)", h)
				}
			}
			return
		}
		matches(t, scope, wantEnglish(s.world.People[0], scope, photo), success(t, c.get(t, "/v1/me/cv")))
	})
}

// wantEnglish is the main CV of world.Full as a consent shows it.
func wantEnglish(p world.Person, scope string, photo bool) map[string]any {
	page := system.AppURLs[0] + "/p/" + p.Username
	socials := map[string]any{"linkedin": "https://www.linkedin.com/in/layla", "github": "https://github.com/layla"}
	document := map[string]any{
		"username": p.Username, "publicCvUrl": page + "/cv", "name": "Layla Haddad", "title": "Backend engineer",
		"summary": "Builds payment systems that stay up.", "bio": "Engineer, mentor, cyclist.",
		"location": world.City, "avatarUrl": nil, "contactEmail": nil, "isUaePassVerified": true, "socials": socials,
		"openToWork": true, "skills": []any{"Kafka", "PostgreSQL", "Redis"},
		"skillGroups": []any{map[string]any{"category": "Databases", "items": []any{"PostgreSQL", "Redis"}}},
		"languages":   []any{"English (fluent)", "Arabic (native)"},
		"highlights": []any{
			map[string]any{"id": "talk", "title": "Speaker", "desc": "GopherCon 2024"},
			map[string]any{"title": "Mentor", "desc": "Twelve juniors"}, // no id was given: absent
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
	cv := map[string]any{
		"id": "master", "title": "Main CV", "updatedAt": timestamp, "isMainCv": true, "language": "en", "document": document,
		"personalDetails": nil, "publicProfileUrl": page,
		"pdf": map[string]any{"url": linkAddress, "contentType": "application/pdf"},
	}
	if photo {
		document["avatarUrl"] = world.Avatar
	}
	if granted(scope, "email") {
		document["contactEmail"] = p.Email
	}
	if granted(scope, "cv:contact") {
		socials["phone"], document["location"] = world.Phone, world.Address
		details := map[string]any{"nationalService": nil}
		for k, v := range world.PersonalDetails() {
			details[k] = v
		}
		cv["personalDetails"] = details
	}
	return cv
}

var linkAddress matcher = func(v any) error {
	if s, ok := v.(string); !ok || !strings.HasPrefix(s, issuer()+"/v1/cv-links/") {
		return identifier(nil)
	}
	return nil
}

func TestChosenCVIsSharedAndItsLanguageDetected(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := connected{scene: s, app: s.app(t, "web")}
	c.tokens = connect(t, c.app, s.person(t, "layla"), allScopes, person.Choice{CV: "السيرة الذاتية"})
	cv := success(t, c.get(t, "/v1/me/cv"))
	want := map[string]any{"id": s.created.CVs["arabic"].ID, "title": "السيرة الذاتية", "isMainCv": false, "language": "ar"}
	for k, v := range want {
		matches(t, k, v, cv[k])
	}
	me := success(t, c.get(t, "/v1/me"))
	matches(t, "connection.cv", map[string]any{"id": cv["id"], "title": cv["title"], "updatedAt": cv["updatedAt"]}, at(me, "connection", "cv"))
}

func TestNoPersonalDetailsStoredIsNullAlsoWithTheScope(t *testing.T) {
	t.Parallel()
	plain := world.Full()
	plain.PersonalDetails, plain.Phone, plain.Address = nil, "", ""
	s := newScene(t, plain)
	c := connected{scene: s, app: s.app(t, "web")}
	c.tokens = connect(t, c.app, s.person(t, "layla"), allScopes, person.Choice{})
	cv := success(t, c.get(t, "/v1/me/cv"))
	if cv["personalDetails"] != nil {
		t.Errorf("personalDetails %v, want null", cv["personalDetails"])
	}
	if socials := at(cv, "document", "socials").(map[string]any); socials["phone"] != nil {
		t.Errorf("phone %v, want absent", socials["phone"])
	}
	matches(t, "location", world.City, at(cv, "document", "location"))
}

func TestContactDetailsCannotBeGrantedWithoutTheCV(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	app, layla := s.app(t, "web"), s.person(t, "layla")
	target := app.URL(app.NewRequest(allScopes))
	signIn := must(layla.Open(t.Context(), target))(t)
	asked := must(layla.SignIn(t.Context(), signIn.Page))(t)
	visit := must(layla.Consent(t.Context(), asked, person.Choice{Drop: []string{"cv:read"}}))(t)
	if visit.Outside != nil || !visit.Page.Has("button", person.Allow) {
		t.Fatalf("the page goes on to %v", visit.Outside)
	}
	// Corrected, it goes on.
	visit = must(layla.Consent(t.Context(), visit, person.Choice{Drop: []string{"cv:read", "cv:contact"}}))(t)
	if visit.Outside == nil || visit.Outside.Query().Get("code") == "" {
		t.Errorf("the corrected choice does not go on: %s", visit.Page.Text())
	}
}

func TestETagStaysWhileNothingChanges(t *testing.T) {
	t.Parallel()
	c := everything(t)
	tag := c.etag(t)
	if strings.HasPrefix(tag, "W/") || len(tag) < 3 {
		t.Fatalf("ETag %s, want a strong one", tag)
	}
	for range 3 {
		for _, at := range c.replicas(c.app) {
			if again := must(at.Get(t.Context(), "/v1/me/cv", c.tokens.Access))(t).Header.Get("ETag"); again != tag {
				t.Errorf("ETag %s after %s, nothing has changed", again, tag)
			}
		}
	}
	next := must(must(c.app.Refresh(t.Context(), c.tokens.Refresh, ""))(t).Tokens())(t)
	if again := must(c.app.Get(t.Context(), "/v1/me/cv", next.Access))(t).Header.Get("ETag"); again != tag {
		t.Error("the ETag depends on the token")
	}
	for _, match := range []string{tag, "*", `"other", ` + tag, "W/" + tag, `"a","b",` + tag + `,"c"`} {
		a := c.get(t, "/v1/me/cv", "If-None-Match", match)
		identified(t, a)
		if a.Status != http.StatusNotModified || len(a.Body) != 0 || a.Header.Get("ETag") != tag {
			t.Errorf("If-None-Match %s: %s, ETag %s; want an empty 304 with the tag", match, a, a.Header.Get("ETag"))
		}
	}
	for _, match := range []string{`"other"`, strings.Trim(tag, `"`), "", `"` + strings.ToUpper(tag) + `"`} {
		success(t, c.get(t, "/v1/me/cv", "If-None-Match", match))
	}
}

func (c connected) etag(t testing.TB) string {
	t.Helper()
	a := c.get(t, "/v1/me/cv")
	success(t, a)
	return a.Header.Get("ETag")
}

func TestETagMovesWithEverythingThatIsShown(t *testing.T) {
	t.Parallel()
	c := everything(t)
	seen := map[string]string{c.etag(t): "at first"}
	step := func(name string) {
		t.Helper()
		tag := c.etag(t)
		if before, again := seen[tag]; again {
			t.Errorf("after %s the ETag is the one %s", name, before)
		}
		seen[tag] = "after " + name
	}
	layla := c.created.People["layla"].ID
	updateProfile(t, c.stack, layla, headline("Principal engineer"))
	step("a new headline")
	updateProfile(t, c.stack, layla, phone("+971 50 999 9999"))
	step("a new phone number")
	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{Photo: false})
	step("taking back the photo")
	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{Drop: []string{"cv:contact"}})
	step("taking back the contact details")
	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{Drop: []string{"cv:contact", "email"}})
	step("taking back the e-mail address")
	c.tokens = connect(t, c.app, c.person, allScopes, person.Choice{CV: "السيرة الذاتية"})
	step("choosing another CV")
}

func TestUpdatedAtMovesWithTheCVAndNotWithReads(t *testing.T) {
	t.Parallel()
	c := everything(t)
	before := success(t, c.get(t, "/v1/me/cv"))["updatedAt"]
	if again := success(t, c.get(t, "/v1/me/cv"))["updatedAt"]; again != before {
		t.Errorf("updatedAt %v after %v, nothing has changed", again, before)
	}
	updateProfile(t, c.stack, c.created.People["layla"].ID, headline("Principal engineer"))
	after := success(t, c.get(t, "/v1/me/cv"))
	if after["updatedAt"].(string) <= before.(string) {
		t.Errorf("updatedAt %v after a change, was %v", after["updatedAt"], before)
	}
	matches(t, "title", "Principal engineer", at(after, "document", "title"))
}

func TestDeletedChosenCVIsNeverReplacedByAnother(t *testing.T) {
	t.Parallel()
	s := newScene(t)
	c := connected{scene: s, app: s.app(t, "web")}
	c.tokens = connect(t, c.app, s.person(t, "layla"), allScopes, person.Choice{CV: "السيرة الذاتية"})
	link := c.link(t)
	deleteCV(t, c.stack, s.created.CVs["arabic"].ID)
	for _, path := range []string{"/v1/me/cv", "/v1/me/cv.pdf"} {
		refused(t, c.get(t, path), http.StatusNotFound, "CV_NOT_FOUND")
	}
	if cv := at(success(t, c.get(t, "/v1/me")), "connection", "cv"); cv != nil {
		t.Errorf("connection.cv %v, want null", cv)
	}
	if a := must(partner.Get(t.Context(), link, ""))(t); a.Status != http.StatusNotFound {
		t.Errorf("the link of a deleted CV: %s", a)
	}
}
