// Package apps implements the pages for apps, their client secrets and their API keys.
//
// It must never put a credential into a URL, a cookie or a log. It shows a credential only on the
// page that responds to its creation (behaviour: console#secrets-are-shown-once).
package apps

import (
	"embed"
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/gateway/internal/authorization"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/pasted"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Files contains the templates of the pages.
//
//go:embed templates
var Files embed.FS

const (
	// maxLogo is the maximum size of a logo in bytes. The auth service checks it too.
	maxLogo = 1 << 20
	// MaxForm is the maximum size, in bytes, of a form with a logo. It is much larger than maxLogo,
	// so a form with an oversized logo, such as a camera photo, can be shown again with its other
	// values.
	MaxForm = 10<<20 + web.MaxForm
)

type handlers struct {
	*shell.Shell
	developers authv1.DeveloperServiceClient
	previews   authorization.Previews
}

// Routes returns the routes of the pages.
func Routes(s *shell.Shell) ([]web.Route, error) {
	previews, err := authorization.NewPreviews(s.CookieKeys, s.Clock)
	h := handlers{s, authv1.NewDeveloperServiceClient(s.Auth), previews}
	const fresh, app = shell.AppsPath + "/new", shell.AppsPath + "/{app}"
	details := shell.Fields{"name", "description", "homepage", "privacy-policy", "terms", "support", "redirect-uris"}
	all := append(slices.Clone(details), "client-type", shell.FormField)
	develop := func(next shell.Handler) web.Handler { return s.RequireRole(shell.Visit.MayDevelop, next) }
	return []web.Route{
		{Path: shell.AppsPath, Get: s.Member(h.list)},
		{Path: fresh, Get: develop(s.Proven(fresh, h.newApp)), Post: s.Whole(all, s.Member(s.Proven(fresh, s.Once(shell.AppsPath, h.createApp)))), MaxUpload: MaxForm, TooLarge: develop(h.refuseLargeNewApp)},
		{Path: app, Get: s.Member(h.showApp), Post: s.Whole(details, s.Member(h.saveApp)), MaxUpload: MaxForm, TooLarge: s.Member(h.refuseLargeApp)},
		{Path: app + "/delete", Get: develop(h.confirmDeleteApp), Post: s.Member(h.deleteApp)},
		{Path: app + "/consent", Get: s.Member(h.showConsent)},
		{Path: app + "/secrets", Post: s.Whole(shell.Fields{shell.FormField}, s.Member(s.Proven(app, s.Once(app, h.addSecret))))},
		{Path: app + "/secrets/{secret}/end", Post: s.Whole(shell.Fields{"expires"}, s.Member(s.Proven(app, h.setSecretEnd)))},
		{Path: app + "/secrets/{secret}/delete", Get: develop(h.confirmDeleteSecret), Post: s.Member(h.deleteSecret)},
		{Path: app + "/keys", Get: s.Member(h.keys), Post: s.Whole(shell.Fields{"name", "expires", shell.FormField}, s.Member(s.Proven(app+"/keys", s.Once(app+"/keys", h.createKey))))},
		{Path: app + "/keys/{key}/delete", Get: develop(h.confirmDeleteKey), Post: s.Member(h.deleteKey)},
	}, err
}

// Row is an app in a list.
type Row struct {
	ID, Name, State, Type string
	Connections           int64
	Created               time.Time
}

// RowOf returns the row of an app.
func RowOf(listed *authv1.ListedApp) Row {
	a := listed.GetApp()
	row := Row{ID: a.GetId(), Name: a.GetName(), State: "live", Type: typeName(a.GetClientType()), Connections: listed.GetConnections(), Created: a.GetCreatedAt().AsTime()}
	if listed.GetState() == authv1.AppState_APP_STATE_SUSPENDED {
		row.State = "suspended"
	}
	return row
}

func (h handlers) list(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	found, err := h.developers.ListApps(r.Context(), &authv1.ListAppsRequest{AccountId: v.AccountID()})
	if err != nil {
		return err
	}
	var rows []Row
	for _, listed := range found.GetApps() {
		rows = append(rows, RowOf(listed))
	}
	return h.Draw(w, r, v, shell.Page{Template: "apps", Title: "Apps", Body: rows})
}

func typeName(t authv1.ClientType) string {
	if t == authv1.ClientType_CLIENT_TYPE_PUBLIC {
		return "Public"
	}
	return "Confidential"
}

// form holds the values of an app's form.
type form struct {
	ID, Name, Description, Homepage, PrivacyPolicy, Terms, Support, RedirectURIs string
	// LogoAddress is the URL of the logo, or "" if the app has none.
	LogoAddress string
	Public      bool
	Scopes      []choice
}

// choice is a checkbox with an explanation.
type choice struct {
	Name, Text string
	Checked    bool
}

// controls maps fields of requests about apps to form controls.
var controls = shell.Controls{
	"name": "name", "description": "description", "logo": "logo", "homepage": "homepage", "privacy_policy": "privacy-policy", "terms": "terms",
	"support": "support", "redirect_uris": "redirect-uris", "scopes": "scopes", "client_type": "client-type",
}

// choices returns the checkboxes for scopes.
func choices(all, chosen []string) []choice {
	out := make([]choice, len(all))
	for i, name := range all {
		out[i] = choice{name, scope.Text(name), slices.Contains(chosen, name)}
	}
	return out
}

// newForm returns the form of a new app.
func newForm() form { return form{Scopes: choices(scope.User(), []string{scope.Profile})} }

// formOf returns the form of a stored app.
func (h handlers) formOf(a *authv1.App) form {
	f := form{
		ID: a.GetId(), Name: a.GetName(), Description: a.GetDescription(), Homepage: a.GetHomepage(), PrivacyPolicy: a.GetPrivacyPolicy(),
		Terms: a.GetTerms(), Support: a.GetSupport(), RedirectURIs: strings.Join(a.GetRedirectUris(), "\n"),
		Public: a.GetClientType() == authv1.ClientType_CLIENT_TYPE_PUBLIC, Scopes: choices(scope.User(), a.GetScopes()),
	}
	if a.GetLogoVersion() != "" {
		f.LogoAddress = h.AppURL + "/logos/" + a.GetId() + "/" + a.GetLogoVersion()
	}
	return f
}

// sentForm reads the submitted form and logo of an app.
func sentForm(r *http.Request) (form, []byte, error) {
	logo, err := web.Upload(r, "logo")
	f := r.PostForm
	return form{
		Name: pasted.Line(f.Get("name")), Description: f.Get("description"), Homepage: f.Get("homepage"), PrivacyPolicy: f.Get("privacy-policy"),
		Terms: f.Get("terms"), Support: f.Get("support"), RedirectURIs: f.Get("redirect-uris"), Public: f.Get("client-type") == "public",
		Scopes: choices(scope.User(), f["scopes"]),
	}, logo, err
}

// uris returns the redirect URIs, one for each nonblank line.
func (f form) uris() (out []string) {
	for line := range strings.Lines(f.RedirectURIs) {
		if line = strings.TrimSpace(line); line != "" {
			out = append(out, line)
		}
	}
	return out
}

func (f form) chosenScopes() (out []string) {
	for _, s := range f.Scopes {
		if s.Checked {
			out = append(out, s.Name)
		}
	}
	return out
}

func (h handlers) newApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawNewApp(w, r, v, 0, newForm(), nil)
}

func (h handlers) drawNewApp(w http.ResponseWriter, r *http.Request, v shell.Visit, status int, f form, faults []web.Fault) error {
	return h.Draw(w, r, v, shell.Page{Status: status, Template: "newapp", Title: "Create an app", Body: f, Faults: faults})
}

// Error messages for a logo or form that is too large.
var (
	largeLogo  = shell.FaultAt("logo", "Choose a file of at most 1 MB. Nothing was saved yet.")
	unreadForm = shell.FaultAt("logo", "Nothing was saved: the form was too large to be read. Choose a file of at most 1 MB and enter your changes again.")
)

func (h handlers) refuseLargeNewApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawNewApp(w, r, v, http.StatusRequestEntityTooLarge, newForm(), unreadForm)
}

func (h handlers) refuseLargeApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawApp(w, r, v, app{id: r.PathValue("app"), status: http.StatusRequestEntityTooLarge, faults: unreadForm})
}

// createApp creates an app. If the app is a confidential client, the response shows the client
// secret.
func (h handlers) createApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	f, logo, err := sentForm(r)
	if err != nil {
		return err
	}
	if len(logo) > maxLogo {
		return h.drawNewApp(w, r, v, 0, f, largeLogo)
	}
	kind := authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL
	if f.Public {
		kind = authv1.ClientType_CLIENT_TYPE_PUBLIC
	}
	made, err := h.developers.CreateApp(r.Context(), &authv1.CreateAppRequest{
		AccountId: v.AccountID(), Name: f.Name, Description: f.Description, Homepage: f.Homepage,
		PrivacyPolicy: f.PrivacyPolicy, Terms: f.Terms, Support: f.Support, ClientType: kind,
		RedirectUris: f.uris(), Scopes: f.chosenScopes(), Logo: logo,
	})
	if faults, refused := shell.FaultsOf(err, controls); refused {
		return h.drawNewApp(w, r, v, 0, f, faults)
	}
	if err != nil {
		return err
	}
	if made.GetClientSecret() == "" {
		h.Notify(w, "apps.created", made.GetApp().GetName())
		web.SeeOther(w, shell.AppPath(made.GetApp().GetId()))
		return nil
	}
	return h.drawApp(w, r, v, app{id: made.GetApp().GetId(), secret: made.GetClientSecret()})
}

// appView holds the data for an app's page.
type appView struct {
	form
	Type     string
	ClientID string
	Created  time.Time
	Secrets  []secretView
	// MoreSecrets reports whether another secret can be added.
	MoreSecrets bool
	// Secret is the newly issued secret, or "" if there is none.
	Secret string
	// Consent reports whether people can connect the app.
	Consent bool
}

// app selects what the page of an app shows.
type app struct {
	id     string
	status int
	// form replaces the stored values after a rejected update.
	form   *form
	faults []web.Fault
	secret string
}

func (h handlers) showApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawApp(w, r, v, app{id: r.PathValue("app")})
}

func (h handlers) drawApp(w http.ResponseWriter, r *http.Request, v shell.Visit, shown app) error {
	found, err := h.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: shown.id})
	if err != nil {
		return err
	}
	a := found.GetApp()
	body := appView{
		form: h.formOf(a), Type: typeName(a.GetClientType()), ClientID: a.GetClientId(), Created: a.GetCreatedAt().AsTime(), Secret: shown.secret,
		Consent: canConnect(a),
	}
	if f := shown.form; f != nil {
		f.ID, f.Public, f.LogoAddress = body.ID, body.Public, body.LogoAddress
		body.form = *f
	}
	if !body.Public {
		if body.Secrets, err = h.secretsOf(r, v, shown.id); err != nil {
			return err
		}
		body.MoreSecrets = len(body.Secrets) < maxSecrets
	}
	return h.Draw(w, r, v, shell.Page{Status: shown.status, Template: "app", Title: a.GetName(), Body: body, Faults: shown.faults})
}

// canConnect reports whether people can connect the app.
func canConnect(a *authv1.App) bool { return len(a.GetRedirectUris()) > 0 && len(a.GetScopes()) > 0 }

// showConsent redirects to a preview of the app's consent page. The auth service checks the
// membership.
func (h handlers) showConsent(w http.ResponseWriter, r *http.Request, _ shell.Visit) error {
	found, err := h.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: r.PathValue("app")})
	if err != nil {
		return err
	}
	a := found.GetApp()
	if !canConnect(a) {
		return web.NotFound()
	}
	web.SeeOther(w, h.AppURL+h.previews.Path(a.GetClientId(), a.GetRedirectUris()[0], a.GetScopes()))
	return nil
}

func (h handlers) saveApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	f, logo, err := sentForm(r)
	if err != nil {
		return err
	}
	again := app{id: r.PathValue("app"), form: &f, faults: largeLogo}
	if len(logo) > maxLogo {
		return h.drawApp(w, r, v, again)
	}
	mask := []string{"name", "description", "homepage", "privacy_policy", "terms", "support", "redirect_uris", "scopes"}
	if len(logo) > 0 || r.PostForm.Get("no-logo") != "" {
		mask = append(mask, "logo")
	}
	_, err = h.developers.UpdateApp(r.Context(), &authv1.UpdateAppRequest{
		Id: again.id, UpdateMask: &fieldmaskpb.FieldMask{Paths: mask}, Name: f.Name, Description: f.Description,
		Homepage: f.Homepage, PrivacyPolicy: f.PrivacyPolicy, Terms: f.Terms, Support: f.Support,
		RedirectUris: f.uris(), Scopes: f.chosenScopes(), Logo: logo,
	})
	if faults, refused := shell.FaultsOf(err, controls); refused {
		again.faults = faults
		return h.drawApp(w, r, v, again)
	}
	return h.Back(w, r.URL.Path, "apps.saved", err)
}

func (h handlers) confirmDeleteApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawDeleteApp(w, r, v, nil)
}

func (h handlers) drawDeleteApp(w http.ResponseWriter, r *http.Request, v shell.Visit, faults []web.Fault) error {
	id := r.PathValue("app")
	found, err := h.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: id})
	if err != nil {
		return err
	}
	name := found.GetApp().GetName()
	return h.Confirm(w, r, v, "Delete an app", shell.Question{
		Title: "Delete " + name + "?", Text: "Its keys, secrets, tokens and links stop working right away, and everyone who connected it is disconnected. You can’t undo this.",
		Yes: "Yes, delete", Back: shell.AppPath(id), Confirm: name, ConfirmLabel: "Type the name of the app to confirm",
	}, faults)
}

// deleteApp deletes an app. All its credentials are revoked before the response is sent.
func (h handlers) deleteApp(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	_, err := h.developers.DeleteApp(r.Context(), &authv1.DeleteAppRequest{Id: r.PathValue("app"), ConfirmName: r.PostForm.Get("confirm")})
	if faults, refused := shell.FaultsOf(err, shell.Controls{"confirm_name": "confirm"}); refused {
		return h.drawDeleteApp(w, r, v, faults)
	}
	return h.Back(w, shell.AppsPath, "apps.deleted", err)
}
