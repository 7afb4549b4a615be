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
)

// examples are whole JSON documents. NAME.json is the data of an answer; NAME is a
// resource or, for a special case, an operation. OPERATION.request.json is a body,
// and OPERATION.request.WORDS.json is another body.
//
//go:embed examples/*.json
var examples embed.FS

// sample is an example, and whether an operation has shown it.
type sample struct {
	value Map[any]
	used  bool
}

// samples are the examples by file name, without the ending.
type samples map[string]*sample

func readSamples() (samples, error) {
	s := samples{}
	files, err := fs.Glob(examples, "examples/*.json")
	for _, f := range files {
		raw, readErr := examples.ReadFile(f)
		one := &sample{}
		if parseErr := parse(raw, &one.value); parseErr != nil || readErr != nil {
			return nil, fmt.Errorf("generate: %s: %w", f, errors.Join(readErr, parseErr))
		}
		s[strings.TrimSuffix(strings.TrimPrefix(f, "examples/"), ".json")] = one
	}
	return s, err
}

// parse reads an object and keeps the order of all its keys.
func parse(raw []byte, into *Map[any]) error {
	var flat Map[json.RawMessage]
	if err := json.Unmarshal(raw, &flat); err != nil {
		return err
	}
	for _, key := range flat.Keys() {
		value, _ := flat.Get(key)
		into.Set(key, value) // raw text keeps the order of inner keys
	}
	return nil
}

// states are the fields in which an answer differs from the example of its resource,
// by operation and status. For example, a job that was just created has no past.
var states = map[string]map[string]any{
	"createCompany 201": {
		"tagline": nil, "founded": nil, "published": false, "verified": false, "updatedAt": "2026-02-03T08:15:30.120Z",
	},
	"createJob 201":  {"applicationCount": 0, "postedAt": jobMade, "updatedAt": jobMade},
	"publishJob 200": {"applicationCount": 0},
	"closeJob 200":   {"status": "closed", "updatedAt": "2026-07-20T09:15:44.271Z"},
	"archiveJob 200": {"status": "archived", "updatedAt": "2026-08-31T12:00:08.630Z"},
}

// jobMade is when the job of the examples was created.
const jobMade = "2026-06-21T13:44:51.318Z"

// data returns the example for the data of an operation's answer.
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
	var shown Map[any]
	for _, key := range one.value.Keys() {
		value, _ := one.value.Get(key)
		if other, differs := states[operation+" "+strconv.Itoa(status)][key]; differs {
			value = other
		}
		shown.Set(key, value)
	}
	return shown
}

// requests returns the examples of an operation's body.
func (s samples) requests(operation string) Examples {
	var all Examples
	for _, name := range slices.Sorted(maps.Keys(s)) {
		words, ours := strings.CutPrefix(name, operation+".request")
		if !ours {
			continue
		}
		s[name].used = true
		all.Set(operation+strings.ReplaceAll(words, ".", "-"), Example{Value: s[name].value})
	}
	return all
}

// parameter returns the example of a path parameter; nil if there is none.
func (s samples) parameter(name string) any {
	if id, known := map[string]string{
		"companyId": companyID, "jobId": jobID, "applicationId": applicationID,
	}[name]; known {
		return id
	}
	return nil
}

// Ids that the examples share.
const (
	companyID     = "com_06gvr3vbk1vcfe2ulh554l68bo"
	jobID         = "job_06gvr3vbk5odhf20h0g1bupvv4"
	applicationID = "apl_06gvr3vbk5ok1474dn6gvmpvok"
)

// allUsed returns an error if an example is not shown anywhere.
func (s samples) allUsed() error {
	for _, name := range slices.Sorted(maps.Keys(s)) {
		if !s[name].used {
			return fmt.Errorf("generate: the example %s belongs to no operation", name)
		}
	}
	return nil
}

func sortedKeys[V any](m map[int]V) []int { return slices.Sorted(maps.Keys(m)) }
