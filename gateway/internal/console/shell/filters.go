package shell

import (
	"net/url"
	"slices"
	"strings"
)

// PageField is the query parameter with the place in a list.
const PageField = "page"

// Filter lists the fields of a filter F, by their names in an address, which are also the ids
// of the controls.
type Filter[F any] []struct {
	Name string
	Of   func(*F) *string
}

// Read reads a filter from an address.
func (all Filter[F]) Read(q url.Values) (f F) {
	for _, field := range all {
		*field.Of(&f) = Readable(strings.TrimSpace(q.Get(field.Name)))
	}
	return f
}

// Address returns a path with a filter, and more pairs of names and values.
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

// HasBlanks reports whether an address has empty parameters, as forms send them. Such an
// address is shortened.
func HasBlanks(q url.Values) bool {
	for _, values := range q {
		if slices.Contains(values, "") {
			return true
		}
	}
	return false
}

// Readable returns text that gRPC can send. Text that is not UTF-8 matches nothing.
func Readable(text string) string { return strings.ToValidUTF8(text, "\ufffd") }

// Option is an option of a select.
type Option struct {
	Value, Text string
	Chosen      bool
}

// OptionGroup is a group of options, "" for those without a label.
type OptionGroup struct {
	Label   string
	Options []Option
}

// Choose marks the option with a value, and adds it with a text if it is missing.
func Choose(options []Option, value, text string) []Option {
	i := slices.IndexFunc(options, func(o Option) bool { return o.Value == value })
	if i < 0 {
		return append(options, Option{Value: value, Text: text, Chosen: true})
	}
	options[i].Chosen = true
	return options
}

// ChooseAmong is Choose for groups. It adds to the first one.
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
