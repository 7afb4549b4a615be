package contract

import (
	"encoding/json"
	"fmt"
)

// closed is the document with every object schema closed: an object may have no fields
// that its schema does not name, unless the schema allows them. The published document
// leaves objects open for fields of later versions, which no answer of this version has.
func closed(document []byte) ([]byte, error) {
	var root any
	if err := json.Unmarshal(document, &root); err != nil {
		return nil, fmt.Errorf("the OpenAPI document: %w", err)
	}
	shut(root)
	return json.Marshal(root)
}

func shut(node any) {
	switch node := node.(type) {
	case map[string]any:
		if _, object := node["properties"].(map[string]any); object {
			if _, said := node["additionalProperties"]; !said {
				node["additionalProperties"] = false
			}
		}
		for key, value := range node {
			if key != "example" && key != "examples" {
				shut(value)
			}
		}
	case []any:
		for _, value := range node {
			shut(value)
		}
	}
}
