package openapi

import (
	"encoding/json"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/santhosh-tekuri/jsonschema/v6"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/credential"
)

func TestDocumentIsValidOpenAPI(t *testing.T) {
	t.Parallel()
	for _, raw := range [][]byte{[]byte(Committed), must(t)(For("https://api.example.ae", "https://app.example.ae"))} {
		document, err := libopenapi.NewDocument(raw)
		if err != nil {
			t.Fatal(err)
		}
		if version := document.GetVersion(); !strings.HasPrefix(version, "3.1.") {
			t.Errorf("OpenAPI %s", version)
		}
		if _, err := document.BuildV3Model(); err != nil {
			t.Error(err)
		}
		check, faults := validator.NewValidator(document)
		if len(faults) > 0 {
			t.Fatal(faults)
		}
		if ok, faults := check.ValidateDocument(); !ok {
			for _, f := range faults {
				t.Error(f.Message, f.Reason)
			}
		}
	}
}

// The test also checks string formats.
func TestExamplesMatchSchemas(t *testing.T) {
	t.Parallel()
	document := parsed(t)
	schemas := jsonschema.NewCompiler()
	schemas.DefaultDraft(jsonschema.Draft2020)
	schemas.AssertFormat()
	if err := schemas.AddResource("openapi.json", document); err != nil {
		t.Fatal(err)
	}
	count := 0
	check := func(at string, value any) {
		t.Helper()
		schema, err := schemas.Compile("openapi.json#" + at + "/schema")
		if err != nil {
			t.Fatalf("%s: %v", at, err)
		}
		count++
		if err := schema.Validate(value); err != nil {
			t.Errorf("%s: %v", at, err)
		}
	}
	visit("", document, func(at string, object map[string]any) {
		if _, typed := object["schema"]; !typed || strings.Contains(at, "/value") {
			return
		}
		if value, there := object["example"]; there {
			check(at, value)
		}
		examples, _ := object["examples"].(map[string]any)
		for _, one := range examples {
			value, isObject := one.(map[string]any)
			if !isObject {
				t.Errorf("%s: an example is not an object", at)
				continue
			}
			check(at, value["value"])
		}
	})
	if count < 100 {
		t.Errorf("found only %d examples", count)
	}
}

func TestNonFileBodiesHaveExamples(t *testing.T) {
	t.Parallel()
	visit("", parsed(t), func(at string, object map[string]any) {
		if !strings.HasSuffix(at, "/content/application~1json") && !strings.HasSuffix(at, "/content/application~1x-www-form-urlencoded") {
			return
		}
		if examples, _ := object["examples"].(map[string]any); len(examples) == 0 {
			t.Errorf("%s has no example", at)
		}
	})
}

func TestServedDocumentHasDeploymentURLs(t *testing.T) {
	t.Parallel()
	const base, app = `https://api.example.ae/"quoted"`, "http://127.0.0.1:8080"
	raw := must(t)(For(base, app))
	var document struct {
		Servers []struct{ URL string }
		Info    struct{ Contact struct{ URL string } }
	}
	if err := json.Unmarshal(raw, &document); err != nil {
		t.Fatal(err)
	}
	if len(document.Servers) != 1 || document.Servers[0].URL != base || document.Info.Contact.URL != app+"/docs" {
		t.Errorf("%+v", document)
	}
	if strings.Contains(string(raw), AppURL) {
		t.Error("the document still contains a URL of a local stack")
	}
}

// (behaviour: openapi#what-it-describes)
func TestPublicCodesHaveExamples(t *testing.T) {
	t.Parallel()
	for _, code := range answer.Codes() {
		// Apps receive OAUTH_ACCESS_DENIED in a redirect, not in a response.
		if code != "OAUTH_ACCESS_DENIED" && !strings.Contains(Committed, `"`+code+`": {`) {
			t.Errorf("%s has no example", code)
		}
	}
}

// Partners copy these examples when they write format checks.
func TestExampleCredentialsAreWellFormed(t *testing.T) {
	t.Parallel()
	found := regexp.MustCompile(`svc_[a-z]{2}_[0-9A-Za-z]+`).FindAllString(Committed, -1)
	if len(found) == 0 {
		t.Fatal("found no credential")
	}
	for _, one := range found {
		if !credential.WellFormed(credential.Prefix(one[:len(credential.AccessToken)]), one) {
			t.Errorf("%s is not well-formed", one)
		}
	}
}

func TestNewResourceExamplesHaveNoHistory(t *testing.T) {
	t.Parallel()
	for path, want := range map[string]map[string]any{
		"/v1/companies":                  {"tagline": nil, "founded": nil, "banner": nil, "published": false, "verified": false},
		"/v1/companies/{companyId}/jobs": {"applicationCount": json.Number("0")},
	} {
		examples, _ := get(parsed(t), "paths", path, "post", "responses", "201", "content", "application/json", "examples").(map[string]any)
		if len(examples) == 0 {
			t.Errorf("%s has no example", path)
		}
		for name, example := range examples {
			for field, value := range want {
				if got := get(example, "value", "data", field); got != value {
					t.Errorf("%s: %s is %v, want %v", name, field, got, value)
				}
			}
			if created, updated := get(example, "value", "data", "createdAt"), get(example, "value", "data", "updatedAt"); created == nil || updated != created {
				t.Errorf("%s: created at %v, updated at %v", name, created, updated)
			}
		}
	}
}

// internalWords matches citations and words about the implementation.
var internalWords = regexp.MustCompile(`(?i)\b(grpc|protobuf|protos?|metadata entry|update.?mask|the mask|principal|INVALID_ARGUMENT|PERMISSION_DENIED|FAILED_PRECONDITION|UNAUTHENTICATED|over REST|decision [0-9]+|spec:|behaviour:|renderer|validate_only|unset|redis|postgres)\b`)

func TestTextsHaveNoInternalWords(t *testing.T) {
	t.Parallel()
	visit("", parsed(t), func(at string, object map[string]any) {
		for _, key := range []string{"description", "summary"} {
			text, isText := object[key].(string)
			if !isText || strings.Contains(at, "/value") {
				continue
			}
			if word := internalWords.FindString(text); word != "" || strings.TrimSpace(text) == "" {
				t.Errorf("%s/%s is empty or contains the word %q: %s", at, key, word, text)
			}
		}
	})
}

// A repeated key gets a 201 with a job that may differ from the job in the request. The descriptions must
// warn of this.
func TestRepeatedKeyIsExplained(t *testing.T) {
	t.Parallel()
	create := get(parsed(t), "paths", "/v1/companies/{companyId}/jobs", "post")
	if text, _ := get(create, "description").(string); !strings.Contains(text, "**The body of a repeat is not compared") {
		t.Errorf("the operation: %s", text)
	}
	for _, p := range get(create, "parameters").([]any) {
		if text, _ := get(p, "description").(string); get(p, "name") == "Idempotency-Key" && !strings.Contains(text, "the body counts for nothing") {
			t.Errorf("the header: %s", text)
		}
	}
}

// (behaviour: requests#null-in-a-body)
func TestSchemasAllowNullWhereBodiesDo(t *testing.T) {
	t.Parallel()
	nullable := func(schema any) bool {
		raw, err := json.Marshal([]any{get(schema, "type"), get(schema, "anyOf")})
		return err == nil && strings.Contains(string(raw), `"null"`)
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
		for field, want := range fields {
			if schema := get(parsed(t), "components", "schemas", name, "properties", field); schema == nil || nullable(schema) != want {
				t.Errorf("%s.%s: %v, want null allowed %t", name, field, schema, want)
			}
		}
	}
	for _, p := range get(parsed(t), "paths", "/v1/companies/{companyId}/jobs", "get", "parameters").([]any) {
		if nullable(get(p, "schema")) {
			t.Errorf("the parameter %v allows null", get(p, "name"))
		}
	}
}

func TestFieldsHaveDescriptions(t *testing.T) {
	t.Parallel()
	schemas, _ := get(parsed(t), "components", "schemas").(map[string]any)
	if len(schemas) == 0 {
		t.Fatal("found no schema")
	}
	for name, schema := range schemas {
		properties, _ := get(schema, "properties").(map[string]any)
		for key, p := range properties {
			if get(p, "description") == nil && get(p, "$ref") == nil && get(p, "const") == nil && get(p, "type") != "null" && !strings.HasSuffix(name, "Response") {
				t.Errorf("%s.%s has no description", name, key)
			}
		}
	}
}

// get returns the value at a path of keys, or nil if there is none.
func get(value any, keys ...string) any {
	for _, key := range keys {
		object, _ := value.(map[string]any)
		value = object[key]
	}
	return value
}

func must(t *testing.T) func([]byte, error) []byte {
	return func(raw []byte, err error) []byte {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		return raw
	}
}

// parsed returns the committed document. Numbers keep their written form.
func parsed(t *testing.T) any {
	t.Helper()
	document, err := jsonschema.UnmarshalJSON(strings.NewReader(Committed))
	if err != nil {
		t.Fatal(err)
	}
	return document
}

// visit calls see for every object, with its JSON pointer.
func visit(at string, value any, see func(string, map[string]any)) {
	switch v := value.(type) {
	case map[string]any:
		see(at, v)
		for key, one := range v {
			visit(at+"/"+strings.NewReplacer("~", "~0", "/", "~1").Replace(key), one, see)
		}
	case []any:
		for i, one := range v {
			visit(at+"/"+strconv.Itoa(i), one, see)
		}
	}
}
