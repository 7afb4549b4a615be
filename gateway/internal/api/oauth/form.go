package oauth

import (
	"net/url"
	"slices"
	"strings"

	"vitae.internal/pkg/fault"
)

// maxValue is the longest value of a parameter in bytes
// (behaviour: tokens#form-bodies). The longest values that clients need are redirect
// URIs and states.
const maxValue = 4096

// parameters holds the parameters of a request by name. A parameter without a value
// counts as not sent (RFC 6749 §3.1, §3.2).
type parameters struct {
	values map[string]string
	// repeated names parameters that were sent more than once, which is a fault.
	repeated []string
	// unreadable names parameters whose value is not text, or too long.
	unreadable []string
	// garbled is true if the name of a parameter could not be read.
	garbled bool
}

// parseParameters reads application/x-www-form-urlencoded text. It keeps known names
// and ignores others (RFC 6749 §3.2). net/url is not used because it drops what it
// cannot read and hides repeated parameters.
func parseParameters(raw string, known []string) parameters {
	p := parameters{values: map[string]string{}}
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
			p.repeated = appendOnce(p.repeated, name)
			continue
		}
		seen[name] = true
		switch {
		case valueErr != nil || !fault.IsStorable(value) || len(value) > maxValue:
			p.unreadable = append(p.unreadable, name)
		case value != "":
			p.values[name] = value
		}
	}
	return p
}

func appendOnce(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// get returns the value of a parameter, "" if it was not sent.
func (p parameters) get(name string) string { return p.values[name] }

// optional returns the value of a parameter, nil if it was not sent.
func (p parameters) optional(name string) *string {
	if v, ok := p.values[name]; ok {
		return &v
	}
	return nil
}

// sound reports whether the parameter was not sent, or sent once with a usable
// value.
func (p parameters) sound(name string) bool {
	return !slices.Contains(p.repeated, name) && !slices.Contains(p.unreadable, name)
}

// fault describes what is wrong with the parameters, "" if nothing is.
func (p parameters) fault() string {
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
