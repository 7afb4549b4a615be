package shell

import (
	"net/url"
	"slices"
	"strings"
)

// PageField is the query parameter that holds the page token.
const PageField = "page"

// Filter lists the fields of a filter F by their query parameters, which are also the ids of the
// form controls.
type Filter[F any] []struct {
	Name string
	Of   func(*F) *string
}

// Read reads a filter from a query.
func (all Filter[F]) Read(q url.Values) (f F) {
	for _, field := range all {
		*field.Of(&f) = Readable(strings.TrimSpace(q.Get(field.Name)))
	}
	return f
}

// Address returns the path with the filter as its query. more holds additional pairs of names and
// values.
func (all Filter[F]) Address(f F, path string, more ...string) string {
	q := url.Values{}
	for _, field := range all {
		if value := *field.Of(&f); value != "" {
			q.Set(field.Name, value)
		}
	}
	for i := 0; i+1 < len(more); i += 2 {
		q.Set(more[i], more[i+1])
	}
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// HasBlanks reports whether a query has empty parameters, which browsers send when a form is
// submitted. The pages redirect such requests to a shorter URL.
func HasBlanks(q url.Values) bool {
	for _, values := range q {
		if slices.Contains(values, "") {
			return true
		}
	}
	return false
}

// Readable replaces invalid UTF-8, which gRPC cannot send. A search for the resulting value finds
// nothing.
func Readable(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// Option is an option of a select element.
type Option struct {
	Value, Text string
	Chosen      bool
}

// OptionGroup is a group of options. Label is "" if the group has no label.
type OptionGroup struct {
	Label   string
	Options []Option
}

// Choose marks the option with the given value as selected. If there is none, it adds one with the
// given text.
func Choose(options []Option, value, text string) []Option {
	i := slices.IndexFunc(options, func(o Option) bool { return o.Value == value })
	if i < 0 {
		return append(options, Option{Value: value, Text: text, Chosen: true})
	}
	options[i].Chosen = true
	return options
}

// ChooseAmong does the same as Choose, but for groups. It adds a missing option to the first group.
func ChooseAmong(groups []OptionGroup, value, text string) []OptionGroup {
	for _, g := range groups {
		if slices.ContainsFunc(g.Options, func(o Option) bool { return o.Value == value }) {
			Choose(g.Options, value, text)
			return groups
		}
	}
	groups[0].Options = Choose(groups[0].Options, value, text)
	return groups
}
