package web

import (
	"html/template"
	"net/http"
	"strings"
	"time"
)

// View is what a page shows. The layout shows all of it but Data.
type View struct {
	// Title of the page, without the name of the site.
	Title string
	// Account is what the visitor's account is called, "" for nobody; see Identify.
	// With an account, the layout shows a form that posts to /sign-out.
	Account string
	// CSRF is the token for the page's forms; see Identify and FormToken.
	CSRF string
	// Notice reports what has just happened.
	Notice Notice
	// Faults are what is wrong with a form that comes back.
	Faults []Fault
	// Leaving is when the visitor's account is deleted, the zero time if it is not to be. The
	// layout has the block "banner" for it, which is empty unless a site fills it.
	Leaving time.Time
	// OneWay leaves the form for signing out away: the page is a question whose
	// answers lead on, and names the account itself.
	OneWay bool
	// Waiting is what the visitor was about to do before coming here, nil for nothing. Render sets it
	// on the pages of a visitor that are not OneWay, and the block "banner" shows it.
	Waiting *Waiting
	// Data is the page's own part.
	Data any
	// Path is that of the request, Switch leads to the page in other languages. Render sets both.
	Path   string
	Switch *Switch
}

// Waiting is a page that the visitor has left to do something else first.
type Waiting struct {
	// Name is what the page is about, Path where it is.
	Name, Path string
}

// Notice reports what has just happened; the zero value reports nothing.
type Notice struct {
	// Key is the key of its message, Text the message.
	Key  string
	Text template.HTML
	// Neutral reports whether the notice is about something other than a success.
	Neutral bool
}

// Refused reports whether what was asked for was not done: whether the key begins with "refused.".
func (n Notice) Refused() bool { return strings.HasPrefix(n.Key, "refused.") }

// Fault is something wrong with a form.
type Fault struct {
	// Field is the id of the control to go to.
	Field string
	// Message says what to do.
	Message template.HTML
	// Label is what the page calls the control, "" if the message names it. Above the form,
	// where faults of several controls stand together, it stands before the message.
	Label string
}

// FaultOf returns the messages about a field, a line each, "" if there is nothing wrong with it.
func (v View) FaultOf(field string) (all template.HTML) {
	for _, f := range v.Faults {
		if f.Field == field && all != "" {
			all += "<br>"
		}
		if f.Field == field {
			all += f.Message
		}
	}
	return all
}

// Fault makes a fault of the message that key names, in the browser's language; see
// i18n.Language.HTML for args.
func (s *Site) Fault(r *http.Request, field, key string, args ...any) (Fault, error) {
	message, err := s.Language(r).HTML(key, args...)
	return Fault{Field: field, Message: message}, err
}

// Leaver is a Visitor whose account may be about to be deleted.
type Leaver interface {
	// Leaving is when; the zero time if it is not to be.
	Leaving() time.Time
}

// Identify fills in what every page of a signed-in visitor shows.
func (s *Site) Identify(view *View, visitor Visitor) {
	if leaver, ok := visitor.(Leaver); ok {
		view.Leaving = leaver.Leaving()
	}
	view.Account = visitor.Account()
	view.CSRF = s.sign(sessionForms, visitor.SessionToken())
}
