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

// Paths that other packages link to.
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
	// InvitationsPath is the path of an invitation, without the secret that follows it.
	InvitationsPath = "/invitations"
)

// AppPath returns the path of an app's page.
func AppPath(id string) string { return AppsPath + "/" + id }

// KeysPath returns the path of the page with an app's keys.
func KeysPath(appID string) string { return AppPath(appID) + "/keys" }

// ReturnField is the query parameter that holds the return path.
const ReturnField = "return"

// frame holds the data for the page layout around the content.
type frame struct {
	Links []Link
	// Person is the person's name, or the email address if there is no name. Email is the email
	// address if Person is a name. If the person is unknown, both are empty and Chosen is nil.
	Person, Email string
	// Docs is the URL of the documentation.
	Docs     string
	Accounts []*authv1.Membership
	Chosen   *authv1.Membership
	Role     string
	// MayDevelop and MayOwn determine which forms the page shows.
	MayDevelop, MayOwn bool
	// CSRF is the token for the form that selects an account.
	CSRF string
	// Suspension and Warning are nil if there is nothing to show.
	Suspension *suspension
	Warning    *warning
}

// suspension describes the account's suspension to its members.
type suspension struct {
	Since  time.Time
	Reason string
}

// shownOnce is a credential that is displayed only once.
type shownOnce struct{ What, Value string }

func once(what, value string) shownOnce { return shownOnce{what, value} }

// danger introduces a form whose effect cannot be undone.
type danger struct{ Title, Text, Action, Button string }

func dangerous(title, text, action, button string) danger { return danger{title, text, action, button} }

// Link is a link on a page or in a menu.
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

// framed is the data passed to a template.
type framed struct {
	Frame *frame
	Body  any
}

// part wraps the data of a block that is also served separately.
func part(data any) web.View { return web.View{Data: data} }

// frameOf returns the frame in a page's data, or nil if it has none.
func frameOf(data any) *frame {
	if failed, ok := data.(interface{ Around() any }); ok {
		data = failed.Around()
	}
	f, _ := data.(framed)
	return f.Frame
}

// Page describes a page to render.
type Page struct {
	// Status is the HTTP status. If it is 0, the status is 422 if there are Faults, and 200
	// otherwise.
	Status          int
	Template, Title string
	Body            any
	Faults          []web.Fault
	// Budget is the account's budget, if the handler has already read it.
	Budget *Budget
	// Apart reports whether the page is not about the account, in which case it needs no budget.
	Apart bool
}

// Draw renders a page, with the pending notice if there is one.
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

// Question is a page that asks the person to confirm something that cannot be undone.
type Question struct {
	Title, Text, Yes, Back string
	// List is displayed below ListText if it is not empty.
	ListText string
	List     []string
	// Confirm is the word that the person must type to confirm, or "" if there is none.
	Confirm, ConfirmLabel string
	Action                string
}

// Confirm renders a confirmation page whose form posts to the request's path.
func (s *Shell) Confirm(w http.ResponseWriter, r *http.Request, v Visit, title string, q Question, faults []web.Fault) error {
	q.Action = r.URL.Path
	return s.Draw(w, r, v, Page{Template: "question", Title: title, Body: q, Faults: faults})
}

// noticeSent is the notice that a form has already been submitted.
const noticeSent = "form.sent"

// Back redirects to a page that shows a notice. If err is not nil, it returns err instead.
func (s *Shell) Back(w http.ResponseWriter, path, notice string, err error) error {
	if err != nil {
		return err
	}
	s.Notify(w, notice, "")
	web.SeeOther(w, path)
	return nil
}

// frameFor returns the frame of a page, or nil if the person has no account.
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

// menuAt returns the menu with the entry for path marked as current.
func menuAt(path string) (links []Link) {
	for _, l := range navigation {
		l.Current = l.Path == path || l.Path != "/" && strings.HasPrefix(path, l.Path+"/")
		links = append(links, l)
	}
	return links
}

// around returns the frame of a failure page (behaviour: console#failure-pages). If the session has
// not been resolved yet, it calls the auth service, unless the client has exceeded the page limit.
// If the person remains unknown, the frame contains only the menu.
func (s *Shell) around(r *http.Request) (web.Visitor, any) {
	token := s.SessionToken(r)
	a, _ := r.Context().Value(resolutionKey{}).(*resolution)
	if !s.PlatformOn || token == "" || a == nil {
		return nil, nil
	}
	if !a.done && s.Page(r) == nil {
		_, _ = s.Resolve(r.Context(), token) // the result is stored in a
	}
	switch {
	case a.done && a.err == nil:
		v := a.visit
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

// Role is a role, with the name that forms and pages use.
type Role struct {
	role optionsv1.Role
	Name string
}

// Roles lists all roles, with the most powerful first.
var Roles = []Role{{optionsv1.Role_ROLE_OWNER, "owner"}, {optionsv1.Role_ROLE_DEVELOPER, "developer"}, {optionsv1.Role_ROLE_VIEWER, "viewer"}}

// RoleName returns the name of a role, or "" if it is unknown.
func RoleName(role optionsv1.Role) string {
	for _, r := range Roles {
		if r.role == role {
			return r.Name
		}
	}
	return ""
}

// RoleNamed returns the role with the given name, or ROLE_UNSPECIFIED if there is none.
func RoleNamed(name string) optionsv1.Role {
	for _, r := range Roles {
		if r.Name == name {
			return r.role
		}
	}
	return optionsv1.Role_ROLE_UNSPECIFIED
}
