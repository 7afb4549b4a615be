package parameters

import (
	"net/url"
	"slices"
	"strings"

	"vitae.internal/pkg/fault"
)

// MaxValue is the longest value of a parameter in bytes
// (behaviour: tokens#form-bodies). The longest values that clients need are redirect
// URIs and states.
const MaxValue = 4096

// Set holds the parameters of a request by name. A parameter without a value
// counts as not sent (RFC 6749 §3.1, §3.2).
type Set struct {
	values map[string]string
	// repeated names parameters that were sent more than once, which is a fault.
	repeated []string
	// unreadable names parameters whose value is not text, or too long.
	unreadable []string
	// garbled is true if the name of a parameter could not be read.
	garbled bool
}

// Read reads application/x-www-form-urlencoded text. It keeps known names
// and ignores others (RFC 6749 §3.2). net/url is not used because it drops what it
// cannot read and hides repeated parameters.
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
			p.repeated = appendOnce(p.repeated, name)
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

func appendOnce(names []string, name string) []string {
	if slices.Contains(names, name) {
		return names
	}
	return append(names, name)
}

// Empty reports whether no known parameter was sent with a usable value.
func (p Set) Empty() bool { return len(p.values) == 0 }

// Repeated names the parameters that were sent more than once.
func (p Set) Repeated() []string { return p.repeated }

// Garbled reports whether the name of a parameter could not be read.
func (p Set) Garbled() bool { return p.garbled }

// Get returns the value of a parameter, "" if it was not sent.
func (p Set) Get(name string) string { return p.values[name] }

// Optional returns the value of a parameter, nil if it was not sent.
func (p Set) Optional(name string) *string {
	if v, ok := p.values[name]; ok {
		return &v
	}
	return nil
}

// Sound reports whether the parameter was not sent, or sent once with a usable
// value.
func (p Set) Sound(name string) bool {
	return !slices.Contains(p.repeated, name) && !slices.Contains(p.unreadable, name)
}

// Fault describes what is wrong with the parameters, "" if nothing is.
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
