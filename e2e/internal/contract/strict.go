package contract

import (
	"encoding/json"
	"fmt"
)

// closed returns the document with closed object schemas, which allow only the defined fields. The
// schemas of the published document are open, so later versions can add fields.
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
