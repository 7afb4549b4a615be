package e2e_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/world"
)

// shown is what a new connection of the older interface shows of a person.
func shown(t testing.TB, who world.Person, choice person.Choice) (older, map[string]any) {
	t.Helper()
	o := newOlder(t, who)
	token := o.connect(t, choice)
	var last map[string]any
	for _, c := range o.everywhere() {
		last = olderSuccess(t, must(c.Profile(t.Context(), token))(t))
	}
	return o, last
}

// cvURL matches the address of a durable link.
var cvURL matcher = func(v any) error {
	if s, _ := v.(string); !strings.HasPrefix(s, system.BaseURLs[0]+"/v1/cv-links/") {
		return fmt.Errorf("%v is no durable link", v)
	}
	return nil
}

func TestOlderProfileOfAFullPersonFieldByField(t *testing.T) {
	t.Parallel()
	who := world.Full()
	_, got := shown(t, who, person.Choice{Photo: true})
	matches(t, "data", map[string]any{
		"name": "Layla Haddad", "email": who.Email, "phoneNumber": world.Phone, "location": world.City,
		"headline": "Backend engineer", "cvUrl": cvURL, "profilePicture": world.Avatar,
		"skills": []any{"Kafka", "PostgreSQL", "Redis"},
		"experience": []any{
			map[string]any{
				"title": "Lead engineer", "company": "Careem", "location": world.City, "startDate": "2019-01", "current": true,
				"description": "Leads the ledger team.\nHalved settlement time\nHired eight engineers",
			},
			map[string]any{"title": "Engineer", "company": "Souq", "startDate": "2015-01", "endDate": "2018-12", "current": false},
		},
		"education": []any{
			map[string]any{"degree": "BSc", "institution": "University of Jordan", "graduationYear": json.Number("2012"), "field": "Computer science"},
			map[string]any{"institution": "Amman Academy"},
		},
		"certifications": []any{
			map[string]any{"name": "CKA", "issuer": "CNCF", "year": json.Number("2021")},
			map[string]any{"name": "First aid", "issuer": "Red Crescent"},
		},
		"languages":   []any{"English (fluent)", "Arabic (native)"},
		"socialLinks": map[string]any{"linkedin": "https://www.linkedin.com/in/layla", "github": "https://github.com/layla"},
	}, got)
	for _, private := range []string{world.Address, "1990-05-17", "Jordanian", "Golden visa"} {
		if raw := string(must(json.Marshal(got))(t)); strings.Contains(raw, private) {
			t.Errorf("it shows %q, which the consent page does not name", private)
		}
	}
}

func TestOlderProfileShowsNoPhotoThatIsNotShared(t *testing.T) {
	t.Parallel()
	_, got := shown(t, world.Full(), person.Choice{})
	if got["profilePicture"] != nil {
		t.Errorf("it shows %v", got["profilePicture"])
	}
}

func TestOlderProfileOfABarePersonHasNoEmptyKeys(t *testing.T) {
	t.Parallel()
	_, got := shown(t, world.Bare(), person.Choice{Photo: true})
	matches(t, "data", map[string]any{"name": "Omar Nasser"}, got)
}

func TestOlderProfileInArabic(t *testing.T) {
	t.Parallel()
	who := world.Bare()
	who.Name, who.Headline, who.Locale, who.Profile = "ليلى حداد", "مهندسة برمجيات", "ar", new(world.Arabic())
	_, got := shown(t, who, person.Choice{})
	matches(t, "data", map[string]any{
		"name": "ليلى حداد", "headline": "مهندسة برمجيات", "location": "دبي، الإمارات العربية المتحدة", "cvUrl": cvURL,
		"skills": []any{"قواعد البيانات", "Go"},
		"experience": []any{map[string]any{
			"title": "مهندسة أولى", "company": "كريم", "startDate": "2019-01", "current": true, "description": "قيادة فريق من ثمانية مهندسين",
		}},
	}, got)
}

func TestOlderProfileFollowsThePersonLive(t *testing.T) {
	t.Parallel()
	o := newOlder(t, world.Full())
	token := o.connect(t, person.Choice{})
	o.reads(t, token)
	updateProfile(t, o.stack, o.created.People["layla"].ID, headline("Retired"))
	for _, c := range o.everywhere() {
		if got := olderSuccess(t, must(c.Profile(t.Context(), token))(t)); got["headline"] != "Retired" {
			t.Errorf("the headline is %v", got["headline"])
		}
	}
}

func TestOlderCVOpensAndDiesWithTheConnection(t *testing.T) {
	t.Parallel()
	o, got := shown(t, world.Full(), person.Choice{})
	link := got["cvUrl"].(string)
	a := open(t, link)
	if a.Header.Get("Content-Type") != "application/pdf" {
		t.Errorf("%s opens %v", link, a.Header)
	}
	text := document(t, a)
	if !strings.Contains(text, "Layla Haddad") || strings.Contains(text, world.Address) || strings.Contains(text, "Golden visa") {
		t.Errorf("the CV reads\n%s", text)
	}
	if err := o.person.Disconnect(t.Context(), o.stack.AppURLs[0], o.appName(t, "older")); err != nil {
		t.Fatal(err)
	}
	for _, u := range o.stack.BaseURLs {
		refused(t, must(partner.Get(t.Context(), u+mustPath(t, link), ""))(t), http.StatusNotFound, "CV_LINK_NOT_FOUND")
	}
}

// A photo in the CV behind the link is as private as the one in the profile.
func TestOlderCVShowsThePhotoOnlyWhileItIsShared(t *testing.T) {
	t.Parallel()
	who := world.Full()
	who.AvatarURL = noise(t, 64)
	o, got := shown(t, who, person.Choice{Photo: true})
	link := got["cvUrl"].(string)
	pictured := func() bool {
		return strings.Contains(poppler(t, open(t, link).Body, "pdfimages", "-list", "FILE"), "jpeg")
	}
	if got["profilePicture"] != who.AvatarURL || !pictured() {
		t.Error("the photo that is shared is not shown")
	}
	o.connect(t, person.Choice{})
	if pictured() {
		t.Error("the CV shows a photo that is not shared any more")
	}
}
