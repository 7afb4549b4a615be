package console

import (
	"net/http"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"vitae.internal/gateway/internal/web"
)

// fields are the controls that a form always sends, even if they are empty: those with a
// text or a choice of one. A box that is not ticked is not sent.
type fields []string

// Fields of the forms that change something which is stored.
var (
	accountFields = fields{"name", formField}
	appDetails    = fields{"name", "description", "homepage", "privacy-policy", "terms", "support", "redirect-uris"}
	newAppFields  = append(slices.Clone(appDetails), "client-type", formField)
	keyFields     = fields{"name", "expires", formField}
	invitedFields = fields{"email", "role", formField}
	planFields    = fields{"per-minute", "per-day", "reason", formField}
	ownFields     = fields{"name", "email"}
	endFields     = fields{"expires"}
	roleFields    = fields{"role"}
)

// fieldLabels are what the forms call fields whose names say less.
var fieldLabels = map[string]string{
	"redirect-uris": "Redirect URIs", "support": "Support address", "client-type": "Client type", "email": "Email", "scopes": "Scopes",
	"per-minute": "Requests a minute", "per-day": "Requests a day", "request-id": "Request ID", "resource-id": "Resource ID",
	formField: "the mark that keeps it from being taken twice",
	"from":    "From (UTC)", "to": "To (UTC)", "": "A field without a name",
}

func labelOf(field string) string {
	if label, known := fieldLabels[field]; known {
		return label
	}
	// A form of another release may have names that this one does not know, of any letters.
	first, size := utf8.DecodeRuneInString(field)
	return string(unicode.ToUpper(first)) + strings.ReplaceAll(field[size:], "-", " ")
}

// faultLabelOf is what a form calls the control about which it tells a fault; empty for a
// fault of the whole form, or of a question, which asks one thing.
func faultLabelOf(control string) string {
	switch {
	case control == "" || control == "confirm" || control == "credentials":
		return ""
	case strings.HasPrefix(control, "end-"):
		return "Last day"
	}
	return labelOf(control)
}

// oldForm is a form that lacks fields, with what was typed into it.
type oldForm struct {
	Missing []string
	Typed   []typedField
	// Page is where the form stands as it is now.
	Page string
}

type typedField struct{ Label, Value string }

// whole lets a form pass that has all its fields. Another was loaded from another release of
// the console: what it lacks would be stored as empty, so nothing is
// (behaviour: console#forms-of-another-release).
func (c *Console) whole(all fields, next web.Handler) web.Handler {
	return func(w http.ResponseWriter, r *http.Request) error {
		form := oldForm{Page: formBehind(r)}
		for _, name := range all {
			if !r.PostForm.Has(name) {
				form.Missing = append(form.Missing, labelOf(name))
			}
		}
		if form.Missing == nil {
			return next(w, r)
		}
		for name, values := range r.PostForm {
			if text := strings.Join(values, "\n"); name != "csrf" && name != formField && text != "" {
				form.Typed = append(form.Typed, typedField{labelOf(name), text})
			}
		}
		slices.SortFunc(form.Typed, func(a, b typedField) int { return strings.Compare(a.Label, b.Label) })
		return c.signedIn(func(w http.ResponseWriter, r *http.Request, d developer) error {
			return c.drawFor(w, r, d, http.StatusConflict, "oldform", web.View{Title: "This form is out of date", Data: form})
		})(w, r)
	}
}
