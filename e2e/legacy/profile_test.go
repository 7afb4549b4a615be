package legacy_test

import (
	"encoding/json"
	"strings"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/person"
	"vitae.internal/e2e/internal/scene"
	"vitae.internal/e2e/internal/world"
)

// connectAndRead connects a person and returns the profile that the app reads.
func connectAndRead(t testing.TB, who world.Person, choice person.Choice) (scene.Legacy, map[string]any) {
	t.Helper()
	o := scene.NewLegacy(t, who)
	token := o.Connect(t, choice)
	var last map[string]any
	for _, c := range o.Everywhere() {
		last = expect.LegacySuccess(t, expect.Must(c.Profile(t.Context(), token))(t))
	}
	return o, last
}

func TestLegacyProfileFields(t *testing.T) {
	t.Parallel()
	who := world.Full()
	_, got := connectAndRead(t, who, person.Choice{Photo: true})
	expect.Matches(t, "data", map[string]any{
		"name": "Layla Haddad", "email": who.Email, "phoneNumber": world.Phone, "location": world.City,
		"headline": "Backend engineer", "cvUrl": scene.LinkURL, "profilePicture": scene.PhotoURL,
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
		if raw := string(expect.Must(json.Marshal(got))(t)); strings.Contains(raw, private) {
			t.Errorf("the profile contains %q, which the consent page does not name", private)
		}
	}
}
