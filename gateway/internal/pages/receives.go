package pages

import (
	"bytes"
	"encoding/json"
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	cvv1 "vitae.internal/proto/gen/vitae/cv/v1"
	cvrenderv1 "vitae.internal/proto/gen/vitae/cvrender/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// Shown answers as apps are answered, by the same code: for the principal of the request's
// context, whom the pages vouch for. All of it is required.
type Shown struct {
	// Me is GET /v1/me, CV GET /v1/me/cv and PDF GET /v1/me/cv.pdf; Legacy is the profile of
	// the legacy interface.
	Me, CV, PDF, Legacy http.Handler
	// PublicPDF answers with the PDF of a CV that everybody may see. share tells it from those
	// of others in the renderer's queue. Errors: those of the renderer.
	PublicPDF func(w http.ResponseWriter, r *http.Request, cv *cvv1.SharedCv, template cvrenderv1.CvTemplate, share string) error
	// Sign gives a principal with the addresses that only the gateway can make.
	Sign func(*identityv1.Principal) *identityv1.Principal
}

func (s Shown) complete() bool {
	return s.Me != nil && s.CV != nil && s.PDF != nil && s.Legacy != nil && s.PublicPDF != nil && s.Sign != nil
}

// receivesView is the own part of the page of what an app receives.
type receivesView struct {
	App shell.App
	// ID is the connection in the address.
	ID      string
	Answers []shownAnswer
	// PDF is the address of the CV as a PDF, "" if the app receives none.
	PDF string
	// Suspended says that the app is refused everything now.
	Suspended bool
}

// shownAnswer is an answer that the app gets.
type shownAnswer struct {
	// ID in the page; Name is the key of a message.
	ID, Name string
	// Request is the request that is answered so.
	Request string
	// Refused says that the app gets nothing but an error.
	Refused bool
	// Rows are what the answer says, as on the consent page.
	Rows []readRow
	// JSON is the body of the answer, laid out to be read.
	JSON string
}

// receives shows exactly what an app receives now (behaviour: pages#what-an-app-receives).
func (p connectionPages) receives(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	named, err := p.connection(r, who)
	if err != nil {
		return p.changeFailed(w, err)
	}
	list, err := shell.ListConnections(r.Context(), p.auth, who)
	if err != nil {
		return err
	}
	title, err := p.site.Language(r).Text("receives.title", "app", named.GetApp().GetName())
	if err != nil {
		return err
	}
	view := receivesView{App: shell.AppOf(named.GetApp()), ID: named.GetId()}
	for _, c := range connectionsWith(list, named.GetApp().GetId()) {
		if err := p.addAnswers(r, who, c, &view); err != nil {
			return p.changeFailed(w, err)
		}
	}
	v := web.View{Title: title, Data: view}
	p.site.Identify(&v, who)
	return p.site.Render(w, r, http.StatusOK, "receives", v)
}

// addAnswers adds what the app gets by a connection.
func (p connectionPages) addAnswers(r *http.Request, who shell.Person, c *authv1.Connection, view *receivesView) error {
	as, suspended, err := p.asApp(r, who, c.GetId())
	if view.Suspended = view.Suspended || suspended; err != nil || suspended {
		return err
	}
	ask := func(id, name, path string, h http.Handler, list func(*readRows, []byte) error) (refused bool, err error) {
		shown, err := answered(as, path, h, list)
		if err != nil {
			return false, err
		}
		shown.ID, shown.Name = id+"-"+c.GetId(), name
		view.Answers = append(view.Answers, shown)
		return shown.Refused, nil
	}
	if c.GetLegacy() {
		_, err := ask("older", "receives.legacy", "/api/oauth/profile", p.shown.Legacy, (*readRows).addLegacy)
		return err
	}
	if _, err := ask("identity", "receives.identity", "/v1/me", p.shown.Me, (*readRows).addIdentity); err != nil {
		return err
	}
	refused, err := ask("cv", "receives.cv", "/v1/me/cv", p.shown.CV, (*readRows).addCV)
	if err == nil && !refused {
		view.PDF = shell.ConnectionsPath + "/" + c.GetId() + "/receives/cv.pdf"
	}
	return err
}

// receivesPDF is the PDF that an app receives now.
func (p connectionPages) receivesPDF(w http.ResponseWriter, r *http.Request, who shell.Person) error {
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

// asApp gives a request of the app with the person's connection, for the handlers of Shown.
// While the account of the app is suspended, there is nothing to ask them.
func (p connectionPages) asApp(r *http.Request, who shell.Person, connectionID string) (as *http.Request, suspended bool, err error) {
	resp, err := p.auth.PreviewConnection(r.Context(), &authv1.PreviewConnectionRequest{Actor: who.Actor(), Id: connectionID})
	if err != nil || resp.GetAccountSuspended() {
		return nil, resp.GetAccountSuspended(), err
	}
	ctx := principal.NewContext(r.Context(), p.shown.Sign(resp.GetPrincipal()))
	as, err = http.NewRequestWithContext(ctx, http.MethodGet, "/", http.NoBody)
	return as, false, err
}

// answered returns the answer of a handler, and list what it says. A failure of ours is none of the app's
// answers.
func answered(as *http.Request, path string, h http.Handler, list func(*readRows, []byte) error) (shownAnswer, error) {
	as = as.Clone(as.Context())
	as.URL.Path = path
	got := &heldAnswer{header: http.Header{}, status: http.StatusOK}
	h.ServeHTTP(got, as)
	if got.status >= http.StatusInternalServerError {
		return shownAnswer{}, errs.New(errs.Unavailable, answer.CodeUnavailable, "What the app receives cannot be shown now.")
	}
	var laidOut bytes.Buffer
	if err := json.Indent(&laidOut, got.body.Bytes(), "", "  "); err != nil {
		return shownAnswer{}, err
	}
	shown := shownAnswer{Request: "GET " + path, Refused: got.status != http.StatusOK, JSON: laidOut.String()}
	if shown.Refused {
		return shown, nil
	}
	var rows readRows
	err := list(&rows, got.body.Bytes())
	shown.Rows = rows
	return shown, err
}

// heldAnswer keeps an answer in memory.
type heldAnswer struct {
	header http.Header
	status int
	body   bytes.Buffer
}

func (a *heldAnswer) Header() http.Header { return a.header }

func (a *heldAnswer) WriteHeader(status int) { a.status = status }

func (a *heldAnswer) Write(b []byte) (int, error) { return a.body.Write(b) }
