package generate

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/api/openapi"
	"vitae.internal/pkg/credential"
)

func build(t *testing.T) []byte {
	t.Helper()
	document, err := Build(contracts(t))
	if err != nil {
		t.Fatal(err)
	}
	raw, err := document.Bytes()
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

func TestTheCommittedDocumentIsWhatTheContractsGive(t *testing.T) {
	if string(build(t)) != openapi.Committed {
		t.Error("openapi.json is not what the contracts give: run `make openapi`")
	}
}

func TestTheSameContractsGiveTheSameBytes(t *testing.T) {
	if !bytes.Equal(build(t), build(t)) {
		t.Error("two runs differ")
	}
}

func TestEveryPublicCodeIsExplained(t *testing.T) {
	for _, code := range answer.Codes() {
		known, there := answer.TextOf(code)
		if !there || known.Means == "" || known.Message == "" {
			t.Errorf("%s: nothing is said of it", code)
		}
		// A refusal by the person reaches the app by a redirect, not as an answer.
		if code != "OAUTH_ACCESS_DENIED" && !strings.Contains(openapi.Committed, `"`+code+`": {`) {
			t.Errorf("%s has no example", code)
		}
	}
}

// inside matches words about the inside of Vitae, and citations. Partners must not
// read them.
var inside = regexp.MustCompile(`(?i)\b(grpc|protobuf|protos?|metadata entry|update.?mask|the mask|principal|INVALID_ARGUMENT|PERMISSION_DENIED|FAILED_PRECONDITION|UNAUTHENTICATED|over REST|decision [0-9]+|spec:|behaviour:|renderer|validate_only|unset|redis|postgres)\b`)

// TestExampleCredentialsHaveTheFormOfLiveOnes: partners copy the examples when they
// write a check of the form.
func TestExampleCredentialsHaveTheFormOfLiveOnes(t *testing.T) {
	found := regexp.MustCompile(`svc_[a-z]{2}_[0-9A-Za-z]+`).FindAllString(openapi.Committed, -1)
	if len(found) == 0 {
		t.Fatal("there is none")
	}
	for _, one := range found {
		if !credential.WellFormed(credential.Prefix(one[:len(credential.AccessToken)]), one) {
			t.Errorf("%s is none", one)
		}
	}
}

// TestWhatWasJustMadeHasNoPast: an example of an answer to a create must show a
// resource that this request can have made.
func TestWhatWasJustMadeHasNoPast(t *testing.T) {
	var document struct {
		Paths map[string]map[string]struct {
			Responses map[string]struct {
				Content map[string]struct {
					Examples map[string]struct{ Value json.RawMessage }
				}
			}
		}
	}
	if err := json.Unmarshal([]byte(openapi.Committed), &document); err != nil {
		t.Fatal(err)
	}
	for path, past := range map[string]map[string]any{
		"/v1/companies":                  {"tagline": nil, "founded": nil, "banner": nil, "published": false, "verified": false},
		"/v1/companies/{companyId}/jobs": {"applicationCount": 0.0},
	} {
		examples := document.Paths[path]["post"].Responses["201"].Content["application/json"].Examples
		if len(examples) == 0 {
			t.Errorf("%s has no example", path)
		}
		for name, example := range examples {
			var made struct{ Data map[string]any }
			if err := json.Unmarshal(example.Value, &made); err != nil {
				t.Fatal(err)
			}
			for field, want := range past {
				if made.Data[field] != want {
					t.Errorf("%s: %s is %v", name, field, made.Data[field])
				}
			}
			if made.Data["createdAt"] == nil || made.Data["updatedAt"] != made.Data["createdAt"] {
				t.Errorf("%s: made at %v, changed at %v", name, made.Data["createdAt"], made.Data["updatedAt"])
			}
		}
	}
}

func TestTheDocumentSpeaksToPartners(t *testing.T) {
	var document any
	if err := json.Unmarshal([]byte(openapi.Committed), &document); err != nil {
		t.Fatal(err)
	}
	walk("", document, func(at string, value any) {
		text, isText := value.(string)
		if !isText || strings.Contains(at, "/value/") || !strings.HasSuffix(at, "/description") && !strings.HasSuffix(at, "/summary") {
			return
		}
		if word := inside.FindString(text); word != "" {
			t.Errorf("%s speaks of %q: %s", at, word, text)
		}
		if strings.TrimSpace(text) == "" {
			t.Errorf("%s is empty", at)
		}
	})
}

// TestTheReferenceSaysThatARepeatIgnoresTheBody: a partner who uses a key twice gets 201
// and another job than the one that was sent. Only words can warn of that.
func TestTheReferenceSaysThatARepeatIgnoresTheBody(t *testing.T) {
	document, err := Build(contracts(t))
	if err != nil {
		t.Fatal(err)
	}
	jobs, _ := document.Paths.Get("/v1/companies/{companyId}/jobs")
	create, _ := jobs.Get("post")
	if !strings.Contains(create.Description, "**The body of a repeat is not compared") {
		t.Errorf("the operation: %s", create.Description)
	}
	for _, p := range create.Parameters {
		if p.Name == "Idempotency-Key" && !strings.Contains(p.Description, "the body counts for nothing") {
			t.Errorf("the header: %s", p.Description)
		}
	}
}

func TestTheDocumentSaysWhereABodyMaySayNull(t *testing.T) {
	document, err := Build(contracts(t))
	if err != nil {
		t.Fatal(err)
	}
	nullable := func(s *Schema) bool {
		return slices.Contains(s.Type, "null") || slices.ContainsFunc(s.AnyOf, func(one *Schema) bool { return slices.Equal(one.Type, Types{"null"}) })
	}
	for name, fields := range map[string]map[string]bool{
		"CreateCompanyRequest": {"name": false, "description": false, "slug": true, "website": true, "externalId": true},
		"UpdateCompanyRequest": {"name": false, "website": true, "tagline": true, "slug": false, "socials": false},
		"SocialLinks":          {"x": false},
		"CreateJobRequest":     {"saveAs": true, "basics": false, "compensation": true, "questions": true, "distribution": false, "confidential": true},
		"UpdateJobRequest": {
			"basics": false, "compensation": true, "eligibility": true, "workforceProgramme": true, "questions": false, "confidential": false,
		},
		"JobBasics":     {"title": false, "department": true},
		"QuestionInput": {"id": true, "type": false, "options": true, "source": true},
	} {
		schema, _ := document.Components.Schemas.Get(name)
		for field, want := range fields {
			if p, _ := schema.Properties.Get(field); nullable(p) != want {
				t.Errorf("%s.%s: takes null %t, want %t", name, field, !want, want)
			}
		}
	}
	jobs, _ := document.Paths.Get("/v1/companies/{companyId}/jobs")
	list, _ := jobs.Get("get")
	for _, p := range list.Parameters {
		if p.Schema != nil && nullable(p.Schema) {
			t.Errorf("the parameter %s may be null", p.Name)
		}
	}
}

func TestEveryFieldIsExplained(t *testing.T) {
	document, err := Build(contracts(t))
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range document.Components.Schemas.Keys() {
		schema, _ := document.Components.Schemas.Get(name)
		for _, key := range schema.Properties.Keys() {
			p, _ := schema.Properties.Get(key)
			if p.Description == "" && p.Ref == "" && p.Const == nil && !slices.Equal(p.Type, Types{"null"}) && !strings.HasSuffix(name, "Response") {
				t.Errorf("%s.%s: nothing is said of it", name, key)
			}
		}
	}
}

func walk(at string, value any, visit func(string, any)) {
	visit(at, value)
	switch v := value.(type) {
	case map[string]any:
		for key, one := range v {
			walk(at+"/"+key, one, visit)
		}
	case []any:
		for _, one := range v {
			walk(at+"/-", one, visit)
		}
	}
}
