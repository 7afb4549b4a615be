package apps

import (
	"net/http"
	"slices"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/pasted"
	"vitae.internal/pkg/scope"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Key is an API key as shown on a page.
type Key struct {
	ID, Name, Hint, By         string
	Scopes                     []string
	Created, LastUsed, Expires time.Time
	// Ends reports whether Expires is set. Soon reports whether Expires is less than a week away,
	// and Over whether it has passed.
	Ends, Soon, Over bool
}

// soon is how long before its expiry a key is marked on pages.
const soon = 7 * 24 * time.Hour

// KeyOf returns the key as a page displays it at the time now.
func KeyOf(k *authv1.ApiKey, now time.Time) Key {
	end, ends := k.GetExpiresAt().AsTime(), k.GetExpiresAt() != nil
	return Key{
		ID: k.GetId(), Name: k.GetName(), Hint: k.GetHint(), By: k.GetCreatedBy(), Scopes: k.GetScopes(),
		Created: k.GetCreatedAt().AsTime(), LastUsed: k.GetLastUsedAt().AsTime(), Expires: end,
		Ends: ends, Over: ends && !now.Before(end), Soon: ends && now.Before(end) && end.Sub(now) < soon,
	}
}

// keysView holds the data for the page with an app's keys.
type keysView struct {
	AppID, AppName string
	Keys           []Key
	// Name, Expires and Scopes are the values of the form's fields.
	Name, Expires string
	Scopes        []choice
	// Secret is the newly created key, or "" if there is none. Try is a shell command that uses it.
	Secret, Try string
}

func (h handlers) keys(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	return h.drawKeys(w, r, v, 0, keysView{Scopes: choices(scope.Company(), nil)}, nil)
}

func (h handlers) drawKeys(w http.ResponseWriter, r *http.Request, v shell.Visit, status int, body keysView, faults []web.Fault) error {
	found, err := h.developers.GetApp(r.Context(), &authv1.GetAppRequest{Id: r.PathValue("app")})
	if err != nil {
		return err
	}
	body.AppID, body.AppName = found.GetApp().GetId(), found.GetApp().GetName()
	listed, err := h.developers.ListApiKeys(r.Context(), &authv1.ListApiKeysRequest{AppId: body.AppID})
	if err != nil {
		return err
	}
	var creators []string
	for _, k := range listed.GetApiKeys() {
		creators = append(creators, k.GetCreatedBy())
	}
	by, err := h.Names(r.Context(), v, creators...)
	if err != nil {
		return err
	}
	now := h.Clock.Now()
	for _, k := range listed.GetApiKeys() {
		key := KeyOf(k, now)
		key.By = by.Of(key.By)
		body.Keys = append(body.Keys, key)
	}
	return h.Draw(w, r, v, shell.Page{Status: status, Template: "keys", Title: "API keys of " + body.AppName, Body: body, Faults: faults})
}

// createKey creates an API key and displays it.
func (h handlers) createKey(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	f := keysView{Name: pasted.Line(r.PostForm.Get("name")), Expires: r.PostForm.Get("expires"), Scopes: choices(scope.Company(), r.PostForm["scopes"])}
	req := &authv1.CreateApiKeyRequest{AppId: r.PathValue("app"), Name: f.Name, Scopes: r.PostForm["scopes"]}
	if f.Expires != "" {
		at, err := shell.EndOf(f.Expires)
		if err != nil {
			return h.drawKeys(w, r, v, 0, f, shell.FaultAt("expires", shell.NoDay))
		}
		req.ExpiresAt = timestamppb.New(at)
	}
	made, err := h.developers.CreateApiKey(r.Context(), req)
	if faults, refused := shell.FaultsOf(err, shell.Controls{"name": "name", "expires_at": "expires", "scopes": "scopes"}); refused {
		if len(req.Scopes) == 0 {
			faults = slices.DeleteFunc(faults, func(f web.Fault) bool { return f.Field == "scopes" })
			faults = append(faults, shell.FaultAt("scopes", "Select at least one scope.")...)
		}
		return h.drawKeys(w, r, v, 0, f, faults)
	}
	if faults, refused := shell.Refusal(err, "name", "TOO_MANY_API_KEYS"); refused {
		return h.drawKeys(w, r, v, http.StatusConflict, f, faults)
	}
	if err != nil {
		return err
	}
	return h.drawKeys(w, r, v, 0, keysView{
		Scopes: choices(scope.Company(), nil), Secret: made.GetSecret(), Try: Try(h.BaseURL, made.GetSecret(), readable(made.GetApiKey().GetScopes())),
	}, nil)
}

// readable returns the path of an example request that the scopes allow. If there is none, it
// returns /v1/companies.
func readable(scopes []string) string {
	path := "/v1/companies"
	for _, read := range []struct{ scope, path string }{
		{scope.CandidatesRead, "/v1/jobs/JOB_ID/candidates"}, {scope.JobsRead, "/v1/companies/COMPANY_ID/jobs"}, {scope.CompaniesRead, "/v1/companies"},
	} {
		if slices.Contains(scopes, read.scope) {
			path = read.path
		}
	}
	return path
}

// Try returns a shell command that sends a GET request with a key.
func Try(baseURL, key, path string) string {
	return "export API_KEY=" + key + "\ncurl -H \"Authorization: Bearer $API_KEY\" " + baseURL + path
}

func (h handlers) confirmDeleteKey(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	id := r.PathValue("app")
	found, err := h.developers.ListApiKeys(r.Context(), &authv1.ListApiKeysRequest{AppId: id})
	if err != nil {
		return err
	}
	for _, k := range found.GetApiKeys() {
		if k.GetId() == r.PathValue("key") {
			return h.Confirm(w, r, v, "Delete a key", shell.Question{
				Title: "Delete " + k.GetName() + "?", Text: "It stops working everywhere.", Yes: "Yes, delete", Back: shell.KeysPath(id),
			}, nil)
		}
	}
	return web.NotFound()
}

func (h handlers) deleteKey(w http.ResponseWriter, r *http.Request, _ shell.Visit) error {
	_, err := h.developers.DeleteApiKey(r.Context(), &authv1.DeleteApiKeyRequest{Id: r.PathValue("key")})
	return h.Back(w, shell.KeysPath(r.PathValue("app")), "keys.deleted", err)
}
