package web

import (
	"html/template"
	"net/http"
	"strings"
	"time"
)

// View holds the content of a page. The layout shows all of it except Data.
type View struct {
	// Title is the title of the page, without the name of the site.
	Title string
	// Account is the name of the visitor's account, or "" if there is none (see Identify). If there is an
	// account, the layout shows the sign-out form.
	Account string
	// CSRF is the token for the page's forms (see Identify and FormToken).
	CSRF string
	// Notice is a message about what has just happened.
	Notice Notice
	// Faults lists the errors in a submitted form.
	Faults []Fault
	// Leaving is the time at which the visitor's account will be deleted, or zero if it will not be. A site
	// shows it in the block "banner".
	Leaving time.Time
	// OneWay hides the sign-out form on pages that ask a question, such as the consent page.
	OneWay bool
	// Waiting is the page to return to, or nil if there is none. Render sets it for signed-in visitors unless
	// OneWay is set. The block "banner" shows it.
	Waiting *Waiting
	// Data is the data for the page's own template.
	Data any
	// Path is the request path. Switch links to the other languages. Render sets both.
	Path   string
	Switch *Switch
}

// Waiting is a page that the visitor has left to do something else first.
type Waiting struct {
	// Name is the name of what the page is about, such as an app.
	Name, Path string
}

// Notice is a message to the visitor about an event. The zero value shows nothing.
type Notice struct {
	// Key is the key of the message Text.
	Key  string
	Text template.HTML
	// Neutral means that the notice does not report a success.
	Neutral bool
}

// Refused reports whether the notice is about a rejected action. Its key then begins with "refused.".
func (n Notice) Refused() bool { return strings.HasPrefix(n.Key, "refused.") }

// Fault is an error in a form.
type Fault struct {
	// Field is the id of the control.
	Field string
	// Message explains to the visitor what to do.
	Message template.HTML
	// Label is the label of the control, or "" if the message already contains it. In the list of errors
	// above the form, it precedes the message.
	Label string
}

// FaultOf returns the messages about a field, one per line, or "" if there are none.
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

// Fault returns a Fault with a message in the language of the response. See i18n.Language.HTML for args.
func (s *Site) Fault(r *http.Request, field, key string, args ...any) (Fault, error) {
	message, err := s.Language(r).HTML(key, args...)
	return Fault{Field: field, Message: message}, err
}

// Leaver is a Visitor whose account may be scheduled for deletion.
type Leaver interface {
	// Leaving returns the time of the deletion, or the zero time if none is scheduled.
	Leaving() time.Time
}

// Identify sets the fields that every page shows to a signed-in visitor.
func (s *Site) Identify(view *View, visitor Visitor) {
	if leaver, ok := visitor.(Leaver); ok {
		view.Leaving = leaver.Leaving()
	}
	view.Account = visitor.Account()
	view.CSRF = s.sign(sessionForms, visitor.SessionToken())
}
