package openapi

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"

	"github.com/pb33f/libopenapi"
	validator "github.com/pb33f/libopenapi-validator"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

func TestTheDocumentIsValidOpenAPI(t *testing.T) {
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

// TestEveryExampleIsValid validates all examples of bodies, parameters and headers
// against the schemas beside them, including formats.
func TestEveryExampleIsValid(t *testing.T) {
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
				t.Errorf("%s: an example is no object", at)
				continue
			}
			check(at, value["value"])
		}
	})
	if count < 100 {
		t.Errorf("only %d examples were found", count)
	}
}

// TestEveryBodyHasAnExample leaves out files, whose content cannot be shown.
func TestEveryBodyHasAnExample(t *testing.T) {
	visit("", parsed(t), func(at string, object map[string]any) {
		if !strings.HasSuffix(at, "/content/application~1json") && !strings.HasSuffix(at, "/content/application~1x-www-form-urlencoded") {
			return
		}
		if examples, _ := object["examples"].(map[string]any); len(examples) == 0 {
			t.Errorf("%s has no example", at)
		}
	})
}

func TestTheServedDocumentNamesItsDeployment(t *testing.T) {
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
		t.Error("an address of a local stack is left")
	}
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

// parsed returns the committed document with numbers as they are written.
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
