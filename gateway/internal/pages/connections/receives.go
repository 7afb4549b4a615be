package connections

import (
	"bytes"
	"encoding/json"
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/seen"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

type receivesView struct {
	App shell.App
	// ID is the id of the connection, for URLs.
	ID      string
	Answers []shownAnswer
	// PDF is the URL of the CV as a PDF, or "" if the app does not receive one.
	PDF string
	// Suspended reports whether all requests of the app are rejected.
	Suspended bool
}

// shownAnswer is an API response, shown on the page as the app would receive it.
type shownAnswer struct {
	// ID is the id of the response in the page. Name is a message key.
	ID, Name string
	// Request is the request to which this is the response.
	Request string
	// Refused reports whether the app receives only an error.
	Refused bool
	// Content is the content of the response, shown in the same way as on the consent page.
	Content seen.Content
	// JSON is the formatted body of the response.
	JSON string
}

// receives shows exactly what an app currently receives (behaviour: pages#what-an-app-receives).
func (p pages) receives(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	named, err := p.connection(r, who)
	if err != nil {
		return p.changeFailed(w, err)
	}
	list, err := shell.ListConnections(r.Context(), p.auth, who)
	if err != nil {
		return err
	}
	view := receivesView{App: shell.AppOf(named.GetApp()), ID: named.GetId()}
	for _, c := range connectionsWith(list, named.GetApp().GetId()) {
		if err := p.addAnswers(r, who, c, &view); err != nil {
			return p.changeFailed(w, err)
		}
	}
	return p.Show(w, r, who, http.StatusOK, "receives", web.View{Data: view}, "receives.title", "app", named.GetApp().GetName())
}

// addAnswers adds the responses that the app receives through a connection.
func (p pages) addAnswers(r *http.Request, who shell.Person, c *authv1.Connection, view *receivesView) error {
	as, suspended, err := p.asApp(r, who, c.GetId())
	if view.Suspended = view.Suspended || suspended; err != nil || suspended {
		return err
	}
	ask := func(id, name, path string, h http.Handler, list func(*seen.Content, []byte) error) (refused bool, err error) {
		shown, err := responseOf(as, path, h, list)
		if err != nil {
			return false, err
		}
		shown.ID, shown.Name = id+"-"+c.GetId(), name
		view.Answers = append(view.Answers, shown)
		return shown.Refused, nil
	}
	if c.GetLegacy() {
		_, err := ask("older", "receives.legacy", "/api/oauth/profile", p.shown.Legacy, (*seen.Content).AddLegacy)
		return err
	}
	if _, err := ask("identity", "receives.identity", "/v1/me", p.shown.Me, (*seen.Content).AddIdentity); err != nil {
		return err
	}
	refused, err := ask("cv", "receives.cv", "/v1/me/cv", p.shown.CV, (*seen.Content).AddCV)
	if err == nil && !refused {
		view.PDF = shell.ConnectionsPath + "/" + c.GetId() + "/receives/cv.pdf"
	}
	return err
}

// receivesPDF sends the PDF that the app currently receives.
func (p pages) receivesPDF(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	as, suspended, err := p.asApp(r, who, r.PathValue("id"))
	if err != nil {
		return err
	}
	if suspended {
		return web.NotFound()
	}
	p.shown.PDF.ServeHTTP(w, as)
	return nil
}

// asApp returns a request from the app on behalf of the person, for the handlers of Shown. It also reports
// whether the app's account is suspended; if so, the handlers must not be called.
func (p pages) asApp(r *http.Request, who shell.Person, connectionID string) (as *http.Request, suspended bool, err error) {
	resp, err := p.auth.PreviewConnection(r.Context(), &authv1.PreviewConnectionRequest{Actor: who.Actor(), Id: connectionID})
	if err != nil || resp.GetAccountSuspended() {
		return nil, resp.GetAccountSuspended(), err
	}
	ctx := principal.NewContext(r.Context(), p.shown.Sign(resp.GetPrincipal()))
	as, err = http.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody)
	return as, false, err
}

// responseOf returns a handler's response, including the content that list adds to it. It returns an error if
// Vitae itself fails.
func responseOf(as *http.Request, path string, h http.Handler, list func(*seen.Content, []byte) error) (shownAnswer, error) {
	got := seen.Ask(as, path, h)
	if got.Failed() {
		return shownAnswer{}, errs.New(errs.Unavailable, answer.CodeUnavailable, "What the app receives cannot be shown now.")
	}
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, got.Body, "", "  "); err != nil {
		return shownAnswer{}, err
	}
	shown := shownAnswer{Request: "GET " + path, Refused: got.Status != http.StatusOK, JSON: laidOut.String()}
	if shown.Refused {
		return shown, nil
	}
	return shown, list(&shown.Content, got.Body)
}
