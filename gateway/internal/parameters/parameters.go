package parameters

import (
	"net/url"
	"slices"
	"strings"

	"vitae.internal/pkg/fault"
)

// MaxValue is the maximum length of a value, in bytes (behaviour: tokens#form-bodies). Only redirect URIs and
// states come close to it.
const MaxValue = 4096

// Set holds the parameters of a request. A parameter without a value counts as not sent
// (RFC 6749 §3.1, §3.2).
type Set struct {
	values map[string]string
	// repeated lists parameters that were sent more than once, which is an error.
	repeated []string
	// unreadable lists parameters whose value is not text or is too long.
	unreadable []string
	// garbled is true if a name, or the value of an unknown parameter, is incorrectly encoded.
	garbled bool
}

// Read parses application/x-www-form-urlencoded text. It ignores parameters that are not known (RFC 6749 §3.2).
// url.ParseQuery is not strict enough, because it drops parameters that it cannot decode.
func Read(raw string, known []string) Set {
	p := Set{values: map[string]string{}}
	seen := map[string]bool{}
	for pair := range strings.SplitSeq(raw, "&") {
		if pair == "" {
			continue
		}
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, nameErr := url.QueryUnescape(rawName)
		value, valueErr := url.QueryUnescape(rawValue)
		if nameErr != nil {
			p.garbled = true
			continue
		}
		if !slices.Contains(known, name) {
			p.garbled = p.garbled || valueErr != nil
			continue
		}
		if seen[name] {
			if !slices.Contains(p.repeated, name) {
				p.repeated = append(p.repeated, name)
			}
			continue
		}
		seen[name] = true
		switch {
		case valueErr != nil || !fault.IsStorable(value) || len(value) > MaxValue:
			p.unreadable = append(p.unreadable, name)
		case value != "":
			p.values[name] = value
		}
	}
	return p
}

// Empty reports whether no known parameter has a valid value.
func (p Set) Empty() bool { return len(p.values) == 0 }

// Repeated returns the names of parameters that were sent more than once.
func (p Set) Repeated() []string { return p.repeated }

// Garbled reports whether the encoding of the parameters is broken.
func (p Set) Garbled() bool { return p.garbled }

// Get returns the value of a parameter, or "" if it was not sent.
func (p Set) Get(name string) string { return p.values[name] }

// Optional returns the value of a parameter, or nil if it was not sent.
func (p Set) Optional(name string) *string {
	if v, ok := p.values[name]; ok {
		return &v
	}
	return nil
}

// Sound reports whether the parameter is absent, or was sent exactly once with a valid value.
func (p Set) Sound(name string) bool {
	return !slices.Contains(p.repeated, name) && !slices.Contains(p.unreadable, name)
}

// Fault describes the first error in the parameters. It returns "" if there is none.
func (p Set) Fault() string {
	switch {
	case len(p.repeated) > 0:
		return "The parameter " + p.repeated[0] + " is sent more than once."
	case len(p.unreadable) > 0:
		return "The parameter " + p.unreadable[0] + " is malformed or too long."
	case p.garbled:
		return "The parameters are not well-formed application/x-www-form-urlencoded."
	default:
		return ""
	}
}
