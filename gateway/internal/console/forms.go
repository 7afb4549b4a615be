package console

import (
	"html/template"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
)

// input is a text field of a form, as the template "input" draws it.
type input struct {
	ID, Label, Value, Hint string
	Type, List             string
	Required, Optional     bool
	Fault                  template.HTML
}

// newInput is the field of a form with what is wrong with it. options are "required",
// "optional", "type=…", "hint=…" and "list=…", which names a datalist.
func newInput(v web.View, id, label, value string, options ...string) input {
	in := input{ID: id, Label: label, Value: value, Type: "text", Fault: v.FaultOf(id)}
	for _, o := range options {
		switch name, rest, _ := strings.Cut(o, "="); name {
		case "required":
			in.Required = true
		case "optional":
			in.Optional = true
		case "type":
			in.Type = rest
		case "hint":
			in.Hint = rest
		case "list":
			in.List = rest
		}
	}
	return in
}

// controls maps the fields of a request, without the index of a list, to the ids of the
// form's controls.
type controls map[string]string

// faultsOf gives what auth says is wrong with a form, and whether that is what err says.
// Fields that the form does not have are told at its beginning.
func faultsOf(err error, form controls) (faults []web.Fault, ok bool) {
	e, is := errs.As(err)
	if !is || e.Kind != errs.Invalid {
		return nil, false
	}
	if len(e.Violations) == 0 {
		return []web.Fault{{Message: escaped(sentence(e.Message))}}, true
	}
	for _, v := range e.Violations {
		field, index, listed := strings.Cut(v.Field, "[")
		text := sentence(v.Description)
		if line, _, ok := strings.Cut(index, "]"); listed && ok && field == "redirect_uris" { // the one list with a line for each
			text = "Line " + next(line) + ": " + v.Description + "."
		}
		faults = append(faults, web.Fault{Field: form[field], Message: escaped(text)})
	}
	return faults, true
}

// refusal gives the one fault of a form that the state of things forbids, and whether err
// has one of the codes.
func refusal(err error, control string, codes ...string) ([]web.Fault, bool) {
	e, is := errs.As(err)
	if !is {
		return nil, false
	}
	for _, code := range codes {
		if e.Code == code {
			return []web.Fault{{Field: control, Message: escaped(sentence(e.Message))}}, true
		}
	}
	return nil, false
}

func escaped(text string) template.HTML {
	return template.HTML(template.HTMLEscapeString(text)) //nolint:gosec // it is escaped
}

// sentence writes a description as a sentence. One that begins with the name of a scope keeps
// it as it is written.
func sentence(s string) string {
	if s == "" {
		return s
	}
	if first, _, _ := strings.Cut(s, " "); strings.Contains(first, ":") {
		return strings.TrimSuffix(s, ".") + "."
	}
	return strings.ToUpper(s[:1]) + strings.TrimSuffix(s[1:], ".") + "."
}

// lines gives the lines of a text area that are not blank, without the space around them.
func lines(text string) []string {
	var out []string
	for line := range strings.Lines(text) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

// next counts a line of a list from 1, as people do.
func next(index string) string {
	n, err := strconv.Atoi(index)
	if err != nil {
		return index
	}
	return strconv.Itoa(n + 1)
}

// option is an entry of a select.
type option struct {
	Value, Text string
	Chosen      bool
}

// optionGroup are entries that belong together.
type optionGroup struct {
	Label   string
	Options []option
}
