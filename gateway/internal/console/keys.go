package console

import (
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/durationpb"
	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/pasted"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

var overlapProto = durationpb.New(overlap)

// keyView is an API key.
type keyView struct {
	ID, Name, Hint, By         string
	Scopes                     []string
	Created, LastUsed, Expires time.Time
	// Ends says whether it has an end; Soon that it comes within a week, Over that it has
	// come.
	Ends, Soon, Over bool
}

// soon is how long before its end a key is warned of.
const soon = 7 * 24 * time.Hour

// keysView is the page of an app's keys.
type keysView struct {
	AppID, AppName string
	Keys           []keyView
	// Name, Expires and Scopes are what the form holds.
	Name, Expires string
	Scopes        []choice
	// Secret is a new key, shown this once; empty for none. Try are the lines that try it.
	Secret, Try string
}

func (c *Console) keys(w http.ResponseWriter, r *http.Request, v visit) error {
	return c.drawKeys(w, r, v, http.StatusOK, keysView{Scopes: choices(scope.Company(), nil)}, nil)
}

func (c *Console) drawKeys(w http.ResponseWriter, r *http.Request, v visit, status int, body keysView, faults []web.Fault) error {
	app, err := c.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: r.PathValue("app")})
	if err != nil {
		return err
	}
	body.AppID, body.AppName = app.GetApp().GetId(), app.GetApp().GetName()
	found, err := c.developers.ListApiKeys(r.Context(), &authv1.ListApiKeysRequest{AppId: body.AppID})
	if err != nil {
		return err
	}
	var makers []string
	for _, k := range found.GetApiKeys() {
		makers = append(makers, k.GetCreatedBy())
	}
	by, err := c.namesOf(r, v, makers...)
	if err != nil {
		return err
	}
	now := c.Clock.Now()
	for _, k := range found.GetApiKeys() {
		view := keyViewOf(k, now)
		view.By = by.of(k.GetCreatedBy())
		body.Keys = append(body.Keys, view)
	}
	return c.draw(w, r, v, answerPage{status: status, name: "keys", title: "API keys of " + body.AppName, body: body, faults: faults})
}

// keyViewOf is how a key is shown at a time.
func keyViewOf(k *authv1.ApiKey, now time.Time) keyView {
	end, ends := k.GetExpiresAt().AsTime(), k.GetExpiresAt() != nil
	return keyView{
		ID: k.GetId(), Name: k.GetName(), Hint: k.GetHint(), By: k.GetCreatedBy(), Scopes: k.GetScopes(),
		Created: k.GetCreatedAt().AsTime(), LastUsed: k.GetLastUsedAt().AsTime(), Expires: end,
		Ends: ends, Over: ends && !now.Before(end), Soon: ends && now.Before(end) && end.Sub(now) < soon,
	}
}

// createKey makes an API key and shows it, this once.
func (c *Console) createKey(w http.ResponseWriter, r *http.Request, v visit) error {
	form := keysView{Name: pasted.Line(r.PostForm.Get("name")), Expires: r.PostForm.Get("expires"), Scopes: choices(scope.Company(), r.PostForm["scopes"])}
	req := &authv1.CreateApiKeyRequest{AppId: r.PathValue("app"), Name: form.Name, Scopes: r.PostForm["scopes"]}
	if form.Expires != "" {
		at, err := endOf(form.Expires)
		if err != nil {
			return c.drawKeys(w, r, v, http.StatusUnprocessableEntity, form, faultAt("expires", noDay))
		}
		req.ExpiresAt = timestamppb.New(at)
	}
	made, err := c.developers.CreateApiKey(r.Context(), req)
	if faults, refused := faultsOf(err, controls{"name": "name", "expires_at": "expires", "scopes": "scopes"}); refused {
		if len(req.Scopes) == 0 {
			faults = slices.DeleteFunc(faults, func(f web.Fault) bool { return f.Field == "scopes" })
			faults = append(faults, faultAt("scopes", "Select at least one scope.")...)
		}
		return c.drawKeys(w, r, v, http.StatusUnprocessableEntity, form, faults)
	}
	if faults, refused := refusal(err, "name", "TOO_MANY_API_KEYS"); refused {
		return c.drawKeys(w, r, v, http.StatusConflict, form, faults)
	}
	if err != nil {
		return err
	}
	return c.drawKeys(w, r, v, http.StatusOK, keysView{
		Scopes: choices(scope.Company(), nil), Secret: made.GetSecret(), Try: c.try(made),
	}, nil)
}

// try are two lines for a terminal that send a first request with a key: a read that one of
// its scopes opens, if there is one.
func (c *Console) try(made *authv1.CreateApiKeyResponse) string {
	path := "/v1/companies"
	for _, read := range []struct{ scope, path string }{
		{scope.CandidatesRead, "/v1/jobs/JOB_ID/candidates"}, {scope.JobsRead, "/v1/companies/COMPANY_ID/jobs"}, {scope.CompaniesRead, "/v1/companies"},
	} {
		if slices.Contains(made.GetApiKey().GetScopes(), read.scope) {
			path = read.path
		}
	}
	return c.tryWith(made.GetSecret(), path)
}

// tryWith are the two lines that send a GET request with a key.
func (c *Console) tryWith(key, path string) string {
	return "export API_KEY=" + key + "\ncurl -H \"Authorization: Bearer $API_KEY\" " + c.BaseURL + path
}

// askDeleteKey asks before a key ends.
func (c *Console) askDeleteKey(w http.ResponseWriter, r *http.Request, v visit) error {
	app := r.PathValue("app")
	found, err := c.developers.ListApiKeys(r.Context(), &authv1.ListApiKeysRequest{AppId: app})
	if err != nil {
		return err
	}
	for _, k := range found.GetApiKeys() {
		if k.GetId() == r.PathValue("key") {
			return c.draw(w, r, v, answerPage{name: "question", title: "Delete a key", body: question{
				Title: "Delete " + k.GetName() + "?", Text: "It stops working everywhere.",
				Action: r.URL.Path, Yes: "Yes, delete", Back: keysPath(app),
			}})
		}
	}
	return web.NotFound()
}

// deleteKey ends a key. It is refused when the page answers.
func (c *Console) deleteKey(w http.ResponseWriter, r *http.Request, _ visit) error {
	_, err := c.developers.DeleteApiKey(r.Context(), &authv1.DeleteApiKeyRequest{Id: r.PathValue("key")})
	return c.backTo(w, keysPath(r.PathValue("app")), "keys.deleted", "", err)
}

func keysPath(appID string) string { return appPath(appID) + "/keys" }

// faultAt is one fault of a form.
func faultAt(control, message string) []web.Fault {
	return []web.Fault{{Field: control, Message: escaped(message)}}
}
