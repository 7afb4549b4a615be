package shell

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/gateway/internal/web"
)

// FormField is the field that contains the random token of a form that must be submitted only once.
const FormField = "form"

// Fields are the controls that browsers always submit: text fields, radio buttons and selects.
// Browsers do not submit an unticked checkbox.
type Fields []string

// labels lists the labels that cannot be derived from the field names.
var labels = map[string]string{
	"redirect-uris": "Redirect URIs", "support": "Support address",
	"per-minute": "Requests a minute", "per-day": "Requests a day", "request-id": "Request ID", "resource-id": "Resource ID",
	FormField: "the mark that keeps it from being taken twice",
	"from":    "From (UTC)", "to": "To (UTC)", "": "A field without a name",
}

func labelOf(field string) string {
	if label, known := labels[field]; known {
		return label
	}
	// The client chooses the names of unknown fields, so they may begin with any letter.
	first, size := utf8.DecodeRuneInString(field)
	return string(unicode.ToUpper(first)) + strings.ReplaceAll(field[size:], "-", " ")
}

// faultLabelOf returns the label of a control with a validation error. It returns "" for the whole
// form and for confirmation pages, which have only one control.
func faultLabelOf(control string) string {
	switch {
	case control == "" || control == "confirm" || control == "credentials":
		return ""
	case strings.HasPrefix(control, "end-"):
		return "Last day"
	}
	return labelOf(control)
}

// oldForm is a form in which fields are missing, with the values of its other fields.
type oldForm struct {
	Missing []string
	Typed   []typedField
	// Page is the path of the page that contains the current form.
	Page string
}

type typedField struct{ Label, Value string }

// Whole calls next for a form that has all its fields. A form in which fields are missing was
// rendered by a different release of the console, and saving it would clear those fields
// (behaviour: console#forms-of-another-release).
func (s *Shell) Whole(all Fields, next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		form := oldForm{Page: formPage(r)}
		for _, name := range all {
			if !r.PostForm.Has(name) {
				form.Missing = append(form.Missing, labelOf(name))
			}
		}
		if form.Missing == nil {
			return next(w, r)
		}
		for name, values := range r.PostForm {
			if text := strings.Join(values, "\n"); name != "csrf" && name != FormField && text != "" {
				form.Typed = append(form.Typed, typedField{labelOf(name), text})
			}
		}
		slices.SortFunc(form.Typed, func(a, b typedField) int { return strings.Compare(a.Label, b.Label) })
		return s.SignedIn(func(w http.ResponseWriter, r *http.Request, v Visit) error {
			return s.Draw(w, r, v, Page{Status: http.StatusConflict, Template: "oldform", Title: "This form is out of date", Body: form, Apart: true})
		})(w, r)
	}
}
