// Package query parses the query string of a request. It rejects malformed values of known parameters and
// ignores unknown parameters (behaviour: requests#query-parameters). The known parameters are the fields of the
// request message that are not in the path.
//
// The package must never check the meaning of a value. The services check ranges.
package query

import (
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"unicode/utf8"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/contract"
	"vitae.internal/pkg/fault"
)

// whole is the name of the field in errors that do not concern a known parameter.
const whole = "query"

// Form describes the query parameters of a method.
type Form struct{ params map[string]param }

type param struct {
	field   string // name in the .proto
	kind    protoreflect.Kind
	words   map[string]protoreflect.EnumNumber
	allowed string
}

// NewForm returns the form of a method, built from its contract. A method with a body has no query parameters.
func NewForm(m contract.Method) (*Form, error) {
	f := &Form{params: map[string]param{}}
	fields := m.Descriptor.Input().Fields()
	for i := range fields.Len() {
		fd := fields.Get(i)
		if m.TakesBody || m.Bound(fd) || contract.FieldOf(fd).Hidden {
			continue
		}
		p := param{field: string(fd.Name()), kind: fd.Kind()}
		switch {
		case fd.IsList(), fd.IsMap():
			return nil, fmt.Errorf("query: %s cannot be a query parameter", fd.FullName())
		case fd.Enum() != nil:
			words, err := contract.WordsOf(fd.Enum())
			if err != nil {
				return nil, err
			}
			p.words, p.allowed = words.Number, strings.Join(words.All, ", ")
		case fd.Kind() != protoreflect.StringKind && fd.Kind() != protoreflect.Int32Kind:
			return nil, fmt.Errorf("query: %s cannot be a query parameter", fd.FullName())
		}
		f.params[fd.JSONName()] = p
	}
	return f, nil
}

// Parse returns the parameters by field, as grpc-gateway expects them: enums are numbers. It returns
// PUBLIC_API_VALIDATION_ERROR if a parameter is invalid. The message begins with the parameter.
func (f *Form) Parse(raw string) (url.Values, error) {
	var out url.Values
	if raw == "" {
		return out, nil
	}
	for pair := range strings.SplitSeq(raw, "&") {
		rawName, rawValue, _ := strings.Cut(pair, "=")
		name, err := url.QueryUnescape(rawName)
		if err != nil {
			return nil, fault.InJSON(whole, "is not well-formed")
		}
		p, known := f.params[name]
		value, err := url.QueryUnescape(rawValue)
		if !known {
			name = whole
		}
		if err != nil {
			return nil, fault.InJSON(name, "is not well-formed")
		}
		if !known {
			continue
		}
		if out[p.field] != nil {
			return nil, fault.InJSON(name, "must not be there twice")
		}
		canonical, broken := p.read(value)
		if broken != "" {
			return nil, fault.InJSON(name, "%s", broken)
		}
		if out == nil {
			out = url.Values{}
		}
		out[p.field] = []string{canonical}
	}
	return out, nil
}

func (p param) read(value string) (canonical, broken string) {
	switch {
	case p.words != nil:
		n, known := p.words[value]
		if !known {
			return "", "must be one of " + p.allowed
		}
		return strconv.Itoa(int(n)), ""
	case p.kind == protoreflect.Int32Kind:
		if !digits(strings.TrimPrefix(value, "-")) {
			return "", "must be a whole number"
		}
		n, err := strconv.ParseInt(value, 10, 32)
		if err != nil {
			return "", "is out of range"
		}
		return strconv.FormatInt(n, 10), ""
	case !utf8.ValidString(value):
		return "", "must be valid UTF-8"
	case strings.Contains(value, "\x00"):
		return "", "must hold no NUL character"
	}
	return value, ""
}

func digits(s string) bool {
	return s != "" && strings.Trim(s, "0123456789") == ""
}
