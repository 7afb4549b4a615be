package shell

import (
	"html/template"
	"net/http"
	"strconv"
	"strings"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
)

// input holds the data for the template "input".
type input struct {
	ID, Label, Value, Hint string
	Type, List             string
	Required, Optional     bool
	Fault                  template.HTML
}

// newInput returns a text field with its validation errors. Valid options are "required",
// "optional", "type=…", "hint=…", and "list=…" with the id of a datalist.
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

// Controls maps fields of a gRPC request, without indexes, to the ids of form controls.
type Controls map[string]string

// FaultsOf returns the validation errors that the auth service has found in a form, and whether err
// is such an error. Errors in fields without a control apply to the whole form.
func FaultsOf(err error, form Controls) (faults []web.Fault, ok bool) {
	e, is := errs.As(err)
	if !is || e.Kind != errs.Invalid {
		return nil, false
	}
	if len(e.Violations) == 0 {
		return FaultAt("", Sentence(e.Message)), true
	}
	for _, v := range e.Violations {
		field, index, listed := strings.Cut(v.Field, "[")
		text := Sentence(v.Description)
		if line, _, ok := strings.Cut(index, "]"); listed && ok && field == "redirect_uris" { // the control for this list has one URI per line
			if n, err := strconv.Atoi(line); err == nil {
				text = "Line " + strconv.Itoa(n+1) + ": " + v.Description + "."
			}
		}
		faults = append(faults, FaultAt(form[field], text)...)
	}
	return faults, true
}

// Refusal returns the message of err as an error at the given control, and whether err has one of
// the codes.
func Refusal(err error, control string, codes ...string) ([]web.Fault, bool) {
	for _, code := range codes {
		if e, is := errs.As(err); is && e.Code == code {
			return FaultAt(control, Sentence(e.Message)), true
		}
	}
	return nil, false
}

// FaultAt returns a list that contains one validation error.
func FaultAt(control, message string) []web.Fault {
	return []web.Fault{{Field: control, Message: template.HTML(template.HTMLEscapeString(message))}} //nolint:gosec // it is escaped
}

// Sentence capitalizes a description and adds a period. It does not capitalize a scope.
func Sentence(s string) string {
	if s == "" {
		return s
	}
	s = strings.TrimSuffix(s, ".") + "."
	if first, _, _ := strings.Cut(s, " "); strings.Contains(first, ":") {
		return s
	}
	return strings.ToUpper(s[:1]) + s[1:]
}

// refuseLarge redirects from a submitted form that is too large to the page that contains the form.
func (s *Shell) refuseLarge(w http.ResponseWriter, r *http.Request) error {
	return s.Back(w, formPage(r), "refused.large", nil)
}

// formPage returns the path of the page that contains the form submitted with r.
func formPage(r *http.Request) string {
	if page, known := formPages[r.Pattern]; known {
		return withApp(page, r)
	}
	return r.URL.Path
}

// formPages maps routes that accept only POST to the pages that contain their forms.
var formPages = map[string]string{
	"/sign-out": "/", "/account": "/",
	AppsPath + "/{app}/secrets":              AppsPath + "/{app}",
	AppsPath + "/{app}/secrets/{secret}/end": AppsPath + "/{app}",
	TeamPath + "/{person}/role":              TeamPath,
	"/invitations/{invitation}/withdraw":     TeamPath,
}
