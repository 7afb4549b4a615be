package shell

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/gateway/internal/web"
)

// FormField has the random name of a form that must be sent only once.
const FormField = "form"

// Fields are the controls that browsers always send: texts and choices of one. They do not
// send a checkbox that is not ticked.
type Fields []string

// labels are the labels of fields that their names do not give.
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
	// The sender chooses the names of unknown fields, so they may begin with any letter.
	first, size := utf8.DecodeRuneInString(field)
	return string(unicode.ToUpper(first)) + strings.ReplaceAll(field[size:], "-", " ")
}

// faultLabelOf returns the label of a control with a fault; "" for the whole form, and for a
// question, which has one control.
func faultLabelOf(control string) string {
	switch {
	case control == "" || control == "confirm" || control == "credentials":
		return ""
	case strings.HasPrefix(control, "end-"):
		return "Last day"
	}
	return labelOf(control)
}

// oldForm is a form that lacks fields, with the text in its other fields.
type oldForm struct {
	Missing []string
	Typed   []typedField
	// Page is the page with the current form.
	Page string
}

type typedField struct{ Label, Value string }

// Whole calls next for a form that has all its fields. Another form comes from another release
// of the console, and would store the missing fields as empty
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
