package shell

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// Paths to which other subjects lead.
const (
	SignInPath     = "/sign-in"
	NewAccountPath = "/accounts/new"
	AppsPath       = "/apps"
	UsagePath      = "/usage"
	RequestsPath   = "/requests"
	LimitsPath     = "/limits"
	TeamPath       = "/team"
	AuditPath      = "/audit"
	SettingsPath   = "/settings"
	// InvitationsPath leads to an invitation, with its secret.
	InvitationsPath = "/invitations"
)

// AppPath returns the path of the page of an app.
func AppPath(id string) string { return AppsPath + "/" + id }

// KeysPath returns the path of the keys of an app.
func KeysPath(appID string) string { return AppPath(appID) + "/keys" }

// ReturnField is the query parameter with the page to return to.
const ReturnField = "return"

// frame is what surrounds the content of a page.
type frame struct {
	Links []Link
	// Person is the name of the person, or else the email address; Email is the address next
	// to a name. Both are empty, and Chosen nil, if the person is not known.
	Person, Email string
	// Docs is the address of the documentation.
	Docs     string
	Accounts []*authv1.Membership
	Chosen   *authv1.Membership
	Role     string
	// MayDevelop and MayOwn tell which forms to show.
	MayDevelop, MayOwn bool
	// CSRF is the token of the form that chooses an account.
	CSRF string
	// Suspension and Warning are nil if there are none.
	Suspension *suspension
	Warning    *warning
}

// suspension is what members see of the suspension of their account.
type suspension struct {
	Since  time.Time
	Reason string
}

// shownOnce is a credential that a page shows once.
type shownOnce struct{ What, Value string }

func once(what, value string) shownOnce { return shownOnce{what, value} }

// danger introduces a form that cannot be undone.
type danger struct{ Title, Text, Action, Button string }

func dangerous(title, text, action, button string) danger { return danger{title, text, action, button} }

// Link is a link with its text.
type Link struct {
	Path, Text string
	Current    bool
}

// navigation is the menu of an account.
var navigation = []Link{
	{Path: "/", Text: "Overview"},
	{Path: AppsPath, Text: "Apps"},
	{Path: UsagePath, Text: "Usage"},
	{Path: RequestsPath, Text: "Requests"},
	{Path: LimitsPath, Text: "Limits"},
	{Path: TeamPath, Text: "Team"},
	{Path: AuditPath, Text: "Audit log"},
	{Path: SettingsPath, Text: "Settings"},
}

// framed is the data of a template.
type framed struct {
	Frame *frame
	Body  any
}

// part passes data to a block of a page that is also served alone.
func part(data any) web.View { return web.View{Data: data} }

// frameOf returns the frame in a page's data, nil if it has none.
func frameOf(data any) *frame {
	if failed, ok := data.(interface{ Around() any }); ok {
		data = failed.Around()
	}
	f, _ := data.(framed)
	return f.Frame
}

// Page is a page to draw.
type Page struct {
	// Status is the HTTP status; 0 means 422 with faults, and 200 without.
	Status          int
	Template, Title string
	Body            any
	Faults          []web.Fault
	// Budget is that of the account, if the handler has read it.
	Budget *Budget
	// Apart means that the page is not about the account, so that it needs no budget.
	Apart bool
}

// Draw answers with a page, and the waiting notice.
func (s *Shell) Draw(w http.ResponseWriter, r *http.Request, v Visit, p Page) error {
	status := http.StatusOK
	switch {
	case p.Status != 0:
		status = p.Status
	case len(p.Faults) > 0:
		status = http.StatusUnprocessableEntity
	}
	view := web.View{Title: p.Title, Faults: slices.Clone(p.Faults)}
	for i, fault := range view.Faults {
		if fault.Label == "" {
			view.Faults[i].Label = faultLabelOf(fault.Field)
		}
	}
	var err error
	if view.Notice, err = s.TakeNotice(w, r, "name"); err != nil {
		return err
	}
	view.Notice.Neutral = view.Notice.Key == noticeSent
	s.Identify(&view, v)
	data := framed{Frame: s.frameFor(r.URL.Path, v, view.CSRF), Body: p.Body}
	if !p.Apart {
		if p.Budget == nil {
			p.Budget = s.Budget(r.Context(), v)
		}
		data.Frame.Warning = p.Budget.warning()
	}
	view.Data = data
	return s.Render(w, r, status, p.Template, view)
}

// Question asks for confirmation of something that cannot be undone.
type Question struct {
	Title, Text, Yes, Back string
	// List is shown below ListText; empty for nothing.
	ListText string
	List     []string
	// Confirm is what the person must type; empty for nothing.
	Confirm, ConfirmLabel string
	Action                string
}

// Ask draws a question, whose form is sent to the address of the request.
func (s *Shell) Ask(w http.ResponseWriter, r *http.Request, v Visit, title string, q Question, faults []web.Fault) error {
	q.Action = r.URL.Path
	return s.Draw(w, r, v, Page{Template: "question", Title: title, Body: q, Faults: faults})
}

// noticeSent is the notice that a form was sent before.
const noticeSent = "form.sent"

// Back redirects to a page that shows a notice, or returns err.
func (s *Shell) Back(w http.ResponseWriter, path, notice string, err error) error {
	if err != nil {
		return err
	}
	s.Notify(w, notice, "")
	web.SeeOther(w, path)
	return nil
}

// frameFor returns the frame of a page, nil if the person has no account.
func (s *Shell) frameFor(path string, v Visit, csrf string) *frame {
	if v.Member == nil {
		return nil
	}
	active := !v.Member.GetSuspended()
	f := &frame{
		Person: v.Session.GetName(), Email: v.Session.GetEmail(), Docs: s.AppURL + "/docs", Links: menuAt(path),
		Accounts: v.Session.GetMemberships(), Chosen: v.Member, Role: RoleName(v.Member.GetRole()),
		MayDevelop: v.MayDevelop() && active, MayOwn: v.MayOwn() && active, CSRF: csrf,
	}
	if f.Person == "" {
		f.Person, f.Email = f.Email, ""
	}
	if !active {
		f.Suspension = &suspension{Since: v.Member.GetSuspendedAt().AsTime(), Reason: v.Member.GetSuspensionReason()}
	}
	return f
}

// menuAt returns the menu of the page at a path.
func menuAt(path string) (links []Link) {
	for _, l := range navigation {
		l.Current = l.Path == path || l.Path != "/" && strings.HasPrefix(path, l.Path+"/")
		links = append(links, l)
	}
	return links
}

// around returns the frame of a failure page (behaviour: console#failure-pages). If the session
// was not resolved yet, it asks auth, unless the address has exceeded its limit of pages. If
// the person stays unknown, the frame has only the menu.
func (s *Shell) around(r *http.Request) (web.Visitor, any) {
	token := s.SessionToken(r)
	a, _ := r.Context().Value(askedKey{}).(*asked)
	if !s.PlatformOn || token == "" || a == nil {
		return nil, nil
	}
	if !a.done && s.Page(r) == nil {
		_, _ = s.Resolve(r.Context(), token) // the result is in a
	}
	switch {
	case a.done && a.err == nil:
		v := a.by
		v.Member = s.chosen(r, v)
		var view web.View
		s.Identify(&view, v)
		return v, framed{Frame: s.frameFor(r.URL.Path, v, view.CSRF)}
	case web.NobodyBehind(a.err):
		return nil, nil
	default:
		return nil, framed{Frame: &frame{Links: menuAt(""), Docs: s.AppURL + "/docs"}}
	}
}

// Role is a role with its name in forms and on pages.
type Role struct {
	role optionsv1.Role
	Name string
}

// Roles are all roles, the most powerful first.
var Roles = []Role{{optionsv1.Role_ROLE_OWNER, "owner"}, {optionsv1.Role_ROLE_DEVELOPER, "developer"}, {optionsv1.Role_ROLE_VIEWER, "viewer"}}

// RoleName returns the name of a role, "" for none.
func RoleName(role optionsv1.Role) string {
	for _, r := range Roles {
		if r.role == role {
			return r.Name
		}
	}
	return ""
}

// RoleNamed returns the role with a name, unspecified for none.
func RoleNamed(name string) optionsv1.Role {
	for _, r := range Roles {
		if r.Name == name {
			return r.role
		}
	}
	return optionsv1.Role_ROLE_UNSPECIFIED
}
