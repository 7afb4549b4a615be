package console

import (
	"net/http"
	"slices"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/fieldmaskpb"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/pasted"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const appsPath = "/apps"

// appRow is an app in the list.
type appRow struct {
	ID, Name, State, Type string
	Connections           int64
	Created               time.Time
}

// appForm is an app as its form shows it.
type appForm struct {
	ID, Name, Description, Homepage, PrivacyPolicy, Terms, Support, RedirectURIs string
	// LogoAddress is where the logo of the app is.
	LogoAddress string
	Public      bool
	Scopes      []choice
}

// choice is a box to tick.
type choice struct {
	// Text says what the box means.
	Name, Text string
	Checked    bool
}

// appFields are the fields of requests about apps, and their controls.
var appFields = controls{
	"name": "name", "description": "description", "logo": "logo", "homepage": "homepage", "privacy_policy": "privacy-policy", "terms": "terms",
	"support": "support", "redirect_uris": "redirect-uris", "scopes": "scopes", "client_type": "client-type",
}

// appList lists the apps of the account.
func (c *Console) appList(w http.ResponseWriter, r *http.Request, v visit) error {
	found, err := c.developers.ListApps(r.Context(), &authv1.ListAppsRequest{AccountId: v.account.GetAccountId()})
	if err != nil {
		return err
	}
	var rows []appRow
	for _, listed := range found.GetApps() {
		a := listed.GetApp()
		rows = append(rows, appRow{
			ID: a.GetId(), Name: a.GetName(), State: stateName(listed.GetState()), Type: typeName(a.GetClientType()),
			Connections: listed.GetConnections(), Created: a.GetCreatedAt().AsTime(),
		})
	}
	return c.draw(w, r, v, answerPage{name: "apps", title: "Apps", body: rows})
}

func stateName(s authv1.AppState) string {
	if s == authv1.AppState_APP_STATE_SUSPENDED {
		return "suspended"
	}
	return "live"
}

func typeName(t authv1.ClientType) string {
	if t == authv1.ClientType_CLIENT_TYPE_PUBLIC {
		return "Public"
	}
	return "Confidential"
}

func (c *Console) askApp(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawNewApp(w, r, v, http.StatusOK, appForm{Scopes: choices(scope.User(), []string{scope.Profile})}, nil)
}

func (c *Console) drawNewApp(w http.ResponseWriter, r *http.Request, v visit, status int, form appForm, faults []web.Fault) error {
	return c.draw(w, r, v, answerPage{status: status, name: "newapp", title: "Create an app", body: form, faults: faults})
}

// choices are the boxes of a form: all, with those ticked that are chosen.
func choices(all, chosen []string) []choice {
	out := make([]choice, len(all))
	for i, name := range all {
		out[i] = choice{name, scopeTexts[name], slices.Contains(chosen, name)}
	}
	return out
}

// appOf reads the form of an app.
func appOf(r *http.Request) appForm {
	f := r.PostForm
	return appForm{
		Name: pasted.Line(f.Get("name")), Description: f.Get("description"), Homepage: f.Get("homepage"), PrivacyPolicy: f.Get("privacy-policy"),
		Terms: f.Get("terms"), Support: f.Get("support"), RedirectURIs: f.Get("redirect-uris"), Public: f.Get("client-type") == "public",
		Scopes: choices(scope.User(), f["scopes"]),
	}
}

// largeLogo is the fault of a logo that is too large, unreadForm that of a form of which nothing was read.
var (
	largeLogo  = []web.Fault{{Field: "logo", Message: "Choose a file of at most 1 MB. Nothing was saved yet."}}
	unreadForm = []web.Fault{{Field: "logo", Message: "Nothing was saved: the form was too large to be read. Choose a file of at most 1 MB and enter your changes again."}}
)

func (c *Console) refuseLargeNewApp(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawNewApp(w, r, v, http.StatusRequestEntityTooLarge, appForm{Scopes: choices(scope.User(), []string{scope.Profile})}, unreadForm)
}

func (c *Console) refuseLargeApp(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawApp(w, r, v, appAnswer{id: r.PathValue("app"), status: http.StatusRequestEntityTooLarge, faults: unreadForm})
}

// refuseLarge leads from a form without a file that was too large to be read back to its page.
func (c *Console) refuseLarge(w http.ResponseWriter, r *http.Request) error {
	return c.backTo(w, formBehind(r), "refused.large", "", nil)
}

func (f appForm) chosenScopes() []string {
	var out []string
	for _, s := range f.Scopes {
		if s.Checked {
			out = append(out, s.Name)
		}
	}
	return out
}

// createApp creates an app. The answer shows its secret, this once.
func (c *Console) createApp(w http.ResponseWriter, r *http.Request, v visit) error {
	form := appOf(r)
	logo, err := web.Upload(r, "logo")
	if err != nil {
		return err
	}
	if len(logo) > maxLogo {
		return c.drawNewApp(w, r, v, http.StatusUnprocessableEntity, form, largeLogo)
	}
	kind := authv1.ClientType_CLIENT_TYPE_CONFIDENTIAL
	if form.Public {
		kind = authv1.ClientType_CLIENT_TYPE_PUBLIC
	}
	made, err := c.developers.CreateApp(r.Context(), &authv1.CreateAppRequest{
		AccountId: v.account.GetAccountId(), Name: form.Name, Description: form.Description, Homepage: form.Homepage,
		PrivacyPolicy: form.PrivacyPolicy, Terms: form.Terms, Support: form.Support, ClientType: kind,
		RedirectUris: lines(form.RedirectURIs), Scopes: form.chosenScopes(), Logo: logo,
	})
	if faults, refused := faultsOf(err, appFields); refused {
		return c.drawNewApp(w, r, v, http.StatusUnprocessableEntity, form, faults)
	}
	if err != nil {
		return err
	}
	if made.GetClientSecret() == "" {
		return c.backTo(w, appPath(made.GetApp().GetId()), "apps.created", made.GetApp().GetName(), nil)
	}
	return c.drawApp(w, r, v, appAnswer{id: made.GetApp().GetId(), secret: made.GetClientSecret()})
}

func appPath(id string) string { return appsPath + "/" + id }

// appView is the page of an app.
type appView struct {
	appForm
	Type     string
	ClientID string
	Created  time.Time
	Secrets  []secretView
	// MoreSecrets says whether another secret may be added.
	MoreSecrets bool
	// Secret is a new secret, shown this once; empty for none.
	Secret string
	// Consent says whether people can be asked to connect the app.
	Consent bool
}

// appAnswer says what the page of an app shows besides the app.
type appAnswer struct {
	id     string
	status int
	// form replaces what is stored, after a refused change.
	form   *appForm
	faults []web.Fault
	secret string
}

func (c *Console) showApp(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawApp(w, r, v, appAnswer{id: r.PathValue("app")})
}

func (c *Console) drawApp(w http.ResponseWriter, r *http.Request, v visit, answer appAnswer) error {
	found, err := c.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: answer.id})
	if err != nil {
		return err
	}
	a := found.GetApp()
	body := appView{
		appForm: formOf(a, c.AppURL), Type: typeName(a.GetClientType()), ClientID: a.GetClientId(), Created: a.GetCreatedAt().AsTime(), Secret: answer.secret,
		Consent: canAsk(a),
	}
	if answer.form != nil {
		form := *answer.form
		form.ID, form.Public, form.LogoAddress = body.ID, body.Public, body.LogoAddress
		body.appForm = form
	}
	if !body.Public {
		if body.Secrets, err = c.secretsOf(r, v, answer.id); err != nil {
			return err
		}
		body.MoreSecrets = len(body.Secrets) < maxSecrets
	}
	return c.draw(w, r, v, answerPage{status: answer.status, name: "app", title: a.GetName(), body: body, faults: answer.faults})
}

// canAsk reports whether people can be asked to connect the app.
func canAsk(a *authv1.App) bool { return len(a.GetRedirectUris()) > 0 && len(a.GetScopes()) > 0 }

// showConsent leads to the consent page of an app as people see it. That the visitor is a
// member of its account auth has checked.
func (c *Console) showConsent(w http.ResponseWriter, r *http.Request, _ visit) error {
	found, err := c.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: r.PathValue("app")})
	if err != nil {
		return err
	}
	a := found.GetApp()
	if !canAsk(a) {
		return web.NotFound()
	}
	web.SeeOther(w, c.AppURL+c.previews.Path(a.GetClientId(), a.GetRedirectUris()[0], a.GetScopes()))
	return nil
}

func formOf(a *authv1.App, appURL string) appForm {
	form := appForm{
		ID: a.GetId(), Name: a.GetName(), Description: a.GetDescription(), Homepage: a.GetHomepage(), PrivacyPolicy: a.GetPrivacyPolicy(),
		Terms: a.GetTerms(), Support: a.GetSupport(), RedirectURIs: strings.Join(a.GetRedirectUris(), "\n"),
		Public: a.GetClientType() == authv1.ClientType_CLIENT_TYPE_PUBLIC, Scopes: choices(scope.User(), a.GetScopes()),
	}
	if a.GetLogoVersion() != "" {
		form.LogoAddress = appURL + "/logos/" + a.GetId() + "/" + a.GetLogoVersion()
	}
	return form
}

// saveApp changes an app. The change holds when the page answers.
func (c *Console) saveApp(w http.ResponseWriter, r *http.Request, v visit) error {
	form := appOf(r)
	logo, err := web.Upload(r, "logo")
	if err != nil {
		return err
	}
	if len(logo) > maxLogo {
		return c.drawApp(w, r, v, appAnswer{id: r.PathValue("app"), status: http.StatusUnprocessableEntity, form: &form, faults: largeLogo})
	}
	mask := []string{"name", "description", "homepage", "privacy_policy", "terms", "support", "redirect_uris", "scopes"}
	if len(logo) > 0 || r.PostForm.Get("no-logo") != "" {
		mask = append(mask, "logo")
	}
	_, err = c.developers.UpdateApp(r.Context(), &authv1.UpdateAppRequest{
		Id: r.PathValue("app"), UpdateMask: &fieldmaskpb.FieldMask{Paths: mask}, Name: form.Name, Description: form.Description,
		Homepage: form.Homepage, PrivacyPolicy: form.PrivacyPolicy, Terms: form.Terms, Support: form.Support,
		RedirectUris: lines(form.RedirectURIs), Scopes: form.chosenScopes(), Logo: logo,
	})
	if faults, refused := faultsOf(err, appFields); refused {
		return c.drawApp(w, r, v, appAnswer{id: r.PathValue("app"), status: http.StatusUnprocessableEntity, form: &form, faults: faults})
	}
	return c.backTo(w, r.URL.Path, "apps.saved", "", err)
}

func (c *Console) askDeleteApp(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawDeleteApp(w, r, v, http.StatusOK, nil)
}

func (c *Console) drawDeleteApp(w http.ResponseWriter, r *http.Request, v visit, status int, faults []web.Fault) error {
	id := r.PathValue("app")
	found, err := c.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: id})
	if err != nil {
		return err
	}
	name := found.GetApp().GetName()
	return c.draw(w, r, v, answerPage{status: status, name: "question", title: "Delete an app", faults: faults, body: question{
		Title: "Delete " + name + "?", Text: "Its keys, secrets, tokens and links stop working right away, and everyone who connected it is disconnected. You can’t undo this.",
		Action: r.URL.Path, Yes: "Yes, delete", Back: appPath(id), Confirm: name, ConfirmLabel: "Type the name of the app to confirm",
	}})
}

// deleteApp deletes an app. Everything that it was given ends before the page answers.
func (c *Console) deleteApp(w http.ResponseWriter, r *http.Request, v visit) error {
	_, err := c.developers.DeleteApp(r.Context(), &authv1.DeleteAppRequest{Id: r.PathValue("app"), ConfirmName: r.PostForm.Get("confirm")})
	if faults, refused := faultsOf(err, controls{"confirm_name": "confirm"}); refused {
		return c.drawDeleteApp(w, r, v, http.StatusUnprocessableEntity, faults)
	}
	return c.backTo(w, appsPath, "apps.deleted", "", err)
}
