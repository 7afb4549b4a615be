package console

import (
	"html/template"
	"net/http"
	"strings"
	"time"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// shell is what every page about an account has around its content.
type shell struct {
	Links []link
	// Person is the name of who is signed in, or else the address; Email the address beside a
	// name. Both are empty on a page that could not ask who it is, which has no Chosen either.
	Person, Email string
	// Docs is where the documentation for partners is.
	Docs string
	// Accounts are those of the visitor; Chosen is the one that the page is about.
	Accounts []*authv1.Membership
	Chosen   *authv1.Membership
	Role     string
	// MayDevelop and MayOwn say which forms are of any use to the visitor.
	MayDevelop, MayOwn bool
	// CSRF is the token for the form that chooses an account.
	CSRF string
	// Suspension is what members are told of a suspension; nil while there is none.
	Suspension *suspension
	// Warning is what the account must know of its budget on every page; nil for nothing.
	Warning *warning
}

// suspension is what members are told of the suspension of their account.
type suspension struct {
	Since  time.Time
	Reason string
}

// shownOnce is a credential that a page shows once.
type shownOnce struct{ What, Value string }

// once gives a page what it shows once.
func once(what, value string) shownOnce { return shownOnce{what, value} }

// danger is a thing that cannot be taken back, with what it does.
type danger struct{ Title, Text, Action, Button string }

// dangerous gives a page its danger.
func dangerous(title, text, action, button string) danger { return danger{title, text, action, button} }

// link is an entry of the navigation.
type link struct {
	Path, Text string
	Current    bool
}

// navigation are the pages about an account, in the order of the menu.
var navigation = []link{
	{Path: "/", Text: "Overview"},
	{Path: appsPath, Text: "Apps"},
	{Path: usagePath, Text: "Usage"},
	{Path: requestsPath, Text: "Requests"},
	{Path: limitsPath, Text: "Limits"},
	{Path: teamPath, Text: "Team"},
	{Path: auditPath, Text: "Audit log"},
	{Path: settingsPath, Text: "Settings"},
}

// page is the data of a page about an account.
type page struct {
	Shell *shell
	Body  any
}

// part gives data to a block of a page that is also answered alone.
func part(data any) web.View { return web.View{Data: data} }

// shellOf gives the shell of a page's data to the layout; nil for pages without one.
func shellOf(data any) *shell {
	if failed, ok := data.(interface{ Around() any }); ok {
		data = failed.Around()
	}
	if p, ok := data.(page); ok {
		return p.Shell
	}
	return nil
}

// answer is a page about an account.
type answerPage struct {
	status      int
	name, title string
	body        any
	faults      []web.Fault
	// budget is that of the account, if the page has read it already.
	budget *budget
}

// draw answers with a page about the account of the visit. It takes the notice that waits.
func (c *Console) draw(w http.ResponseWriter, r *http.Request, v visit, a answerPage) error {
	view := web.View{Title: a.title, Faults: a.faults}
	if err := c.report(w, r, &view); err != nil {
		return err
	}
	c.site.Identify(&view, v)
	around := c.shellFor(r.URL.Path, v, view.CSRF)
	if a.budget == nil {
		a.budget = c.budgetOf(r.Context(), v)
	}
	around.Warning = a.budget.warning()
	view.Data = page{Shell: around, Body: a.body}
	return c.site.Render(w, r, max(a.status, http.StatusOK), a.name, view)
}

// noticeSent tells that a form was sent before, so that nothing was made again.
const noticeSent = "form.sent"

func (c *Console) shellFor(path string, v visit, csrf string) *shell {
	s := &shell{
		Person: v.session.GetName(), Email: v.session.GetEmail(), Docs: c.AppURL + "/docs", Links: menuAt(path),
		Accounts: v.session.GetMemberships(), Chosen: v.account, Role: roleName(v.account.GetRole()),
		MayDevelop: v.mayDevelop() && !v.account.GetSuspended(), MayOwn: v.mayOwn() && !v.account.GetSuspended(), CSRF: csrf,
	}
	if s.Person == "" {
		s.Person, s.Email = s.Email, ""
	}
	if v.account.GetSuspended() {
		s.Suspension = &suspension{Since: v.account.GetSuspendedAt().AsTime(), Reason: v.account.GetSuspensionReason()}
	}
	return s
}

// menuAt is the navigation of the page at a path.
func menuAt(path string) (links []link) {
	for _, l := range navigation {
		l.Current = l.Path == path || l.Path != "/" && strings.HasPrefix(path, l.Path+"/")
		links = append(links, l)
	}
	return links
}

// roles are the roles by their names, the most powerful first.
var roles = []struct {
	role optionsv1.Role
	name string
}{
	{optionsv1.Role_ROLE_OWNER, "owner"}, {optionsv1.Role_ROLE_DEVELOPER, "developer"}, {optionsv1.Role_ROLE_VIEWER, "viewer"},
}

func roleName(role optionsv1.Role) string {
	for _, r := range roles {
		if r.role == role {
			return r.name
		}
	}
	return ""
}

// roleNamed gives the role of a form; unspecified for none.
func roleNamed(name string) optionsv1.Role {
	for _, r := range roles {
		if r.name == name {
			return r.role
		}
	}
	return optionsv1.Role_ROLE_UNSPECIFIED
}

// moment writes a time as a time element, to the minute, in UTC.
func moment(t time.Time) template.HTML {
	if t.IsZero() || t.Unix() == 0 {
		return "never"
	}
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.RFC3339) + `">` + t.Format("2 Jan 2006, 15:04") + " UTC</time>") //nolint:gosec // digits and names of months
}

// date writes the day of a time as a time element, in UTC.
func date(t time.Time) template.HTML {
	if t.IsZero() || t.Unix() == 0 {
		return "never"
	}
	t = t.UTC()
	return template.HTML(`<time datetime="` + t.Format(time.DateOnly) + `">` + t.Format("2 Jan 2006") + "</time>") //nolint:gosec // digits and names of months
}
