package generate

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"slices"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/api/openapi/model"
)

// examples holds complete JSON documents. NAME.json is the data of a response, where NAME is a resource or, in
// special cases, an operation. OPERATION.request.json and OPERATION.request.WORDS.json are request bodies.
//
//go:embed examples/*.json
var examples embed.FS

// sample is an example. used is set once an operation uses it.
type sample struct {
	value model.Map[any]
	used  bool
}

// samples maps file names without the extension to examples.
type samples map[string]*sample

func readSamples() (samples, error) {
	s := samples{}
	files, err := fs.Glob(examples, "examples/*.json")
	for _, f := range files {
		raw, readErr := examples.ReadFile(f)
		value, parseErr := parse(raw)
		if err := errors.Join(readErr, parseErr); err != nil {
			return nil, fmt.Errorf("generate: %s: %w", f, err)
		}
		s[strings.TrimSuffix(strings.TrimPrefix(f, "examples/"), ".json")] = &sample{value: value}
	}
	return s, err
}

// parse parses an object. It preserves the order of keys, also in nested objects.
func parse(raw []byte) (object model.Map[any], err error) {
	var flat model.Map[json.RawMessage]
	if err := json.Unmarshal(raw, &flat); err != nil {
		return object, err
	}
	for _, key := range flat.Keys() {
		value, _ := flat.Get(key)
		object.Set(key, value)
	}
	return object, nil
}

// states holds, by operation and status, the fields in which a response differs from the example of its
// resource. For example, a new job has no applications.
var states = map[string]map[string]any{
	"createCompany 201": {
		"tagline": nil, "founded": nil, "published": false, "verified": false, "updatedAt": "2026-02-03T08:15:30.120Z",
	},
	"createJob 201":  {"applicationCount": 0, "postedAt": jobCreated, "updatedAt": jobCreated},
	"publishJob 200": {"applicationCount": 0},
	"closeJob 200":   {"status": "closed", "updatedAt": "2026-07-20T09:15:44.271Z"},
	"archiveJob 200": {"status": "archived", "updatedAt": "2026-08-31T12:00:08.630Z"},
}

// jobCreated is the creation time of the job in the examples.
const jobCreated = "2026-06-21T13:44:51.318Z"

// data returns the example data of a response.
func (s samples) data(operation string, status int, resource string) any {
	name := resource
	if _, special := s[operation]; special {
		name = operation
	}
	one, there := s[name]
	if !there {
		return nil
	}
	one.used = true
	var shown model.Map[any]
	for _, key := range one.value.Keys() {
		value, _ := one.value.Get(key)
		if other, differs := states[operation+" "+strconv.Itoa(status)][key]; differs {
			value = other
		}
		shown.Set(key, value)
	}
	return shown
}

// requests returns the example bodies of an operation.
func (s samples) requests(operation string) model.Examples {
	var all model.Examples
	for _, name := range slices.Sorted(maps.Keys(s)) {
		words, ours := strings.CutPrefix(name, operation+".request")
		if !ours {
			continue
		}
		s[name].used = true
		all.Set(operation+strings.ReplaceAll(words, ".", "-"), model.Example{Value: s[name].value})
	}
	return all
}

// pathExamples holds the examples of path parameters.
var pathExamples = map[string]any{
	"companyId":     "com_06gvr3vbk1vcfe2ulh554l68bo",
	"jobId":         "job_06gvr3vbk5odhf20h0g1bupvv4",
	"applicationId": "apl_06gvr3vbk5ok1474dn6gvmpvok",
}

// allUsed returns an error if an example is unused.
func (s samples) allUsed() error {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if !s[name].used {
			return fmt.Errorf("generate: no operation uses the example %s", name)
		}
	}
	return nil
}
