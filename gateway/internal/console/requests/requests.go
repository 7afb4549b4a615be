// Package requests implements the pages of the request log (behaviour: console#the-request-log).
package requests

import (
	"embed"
	"html/template"
	"net/http"
	"time"

	"vitae.internal/docs"
	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Files contains the templates and the script of the pages.
//
//go:embed templates static
var Files embed.FS

type handlers struct {
	*shell.Shell
	usages authv1.UsageServiceClient
	// routes are the route templates that appear in the log. scopes maps a method and template to
	// the required scope.
	routes []string
	scopes map[string]string
	// docs explains error codes.
	docs map[string]errorDoc
}

// newestPath serves the requests that are not yet on a page that follows the log.
const newestPath = shell.RequestsPath + "/newest"

// Routes returns the routes of the pages.
func Routes(s *shell.Shell) ([]web.Route, error) {
	h := handlers{Shell: s, usages: authv1.NewUsageServiceClient(s.Auth)}
	var err error
	if h.routes, h.scopes, err = readRoutes(); err != nil {
		return nil, err
	}
	if h.docs, err = readErrorDocs(docs.Files, s.AppURL); err != nil {
		return nil, err
	}
	return []web.Route{
		{Path: shell.RequestsPath, Get: s.Member(h.list)},
		{Path: shell.RequestsPath + ".csv", Get: s.Member(h.file)},
		{Path: newestPath, Get: s.Member(h.newest)},
		{Path: shell.RequestsPath + "/{request}", Get: s.Member(h.show)},
	}, nil
}

// perPage is the number of requests on a page.
const perPage = 50

// LogDays is the number of days for which requests are retained (behaviour: usage#retention).
const LogDays = 30

// oldest returns the time of the oldest request that the log can contain.
func (h handlers) oldest() time.Time { return h.Clock.Now().AddDate(0, 0, -LogDays) }

// view holds the data for the log page.
type view struct {
	Filter   Filter
	Choices  choices
	Requests rows
	// Groups are errors that occurred repeatedly.
	Groups []failures
	// Refresh is the URL of the page. Download is the URL of its CSV file.
	Refresh, Download string
	// Follow is the URL that returns newer requests, and Since is the time from which it returns
	// them. Both are empty if the page can have no newer requests.
	Follow, Since string
	// SearchedTo is set if the search stopped before the page was full. It is the time back to
	// which the log was searched.
	SearchedTo template.HTML
	From, To   shell.TimeInput
	// Faulty reports whether the filter is invalid. Later reports whether this is not the first
	// page.
	Faulty, Filtered, Later bool
	// Missing reports whether the log does not contain the requested request. This may be because
	// its key has expired or was deleted. Keys is the path of the page with the API keys if there
	// is only one app.
	Missing bool
	Keys    string
}

func (h handlers) list(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q := r.URL.Query()
	filter := fields.Read(q)
	if shell.HasBlanks(q) {
		web.SeeOther(w, filter.Address())
		return nil
	}
	if filter.RequestID != "" {
		return h.open(w, r, v, filter)
	}
	req, faults := filter.search(v.AccountID())
	if faults != nil {
		return h.draw(w, r, v, view{Filter: filter}, nil, faults)
	}
	req.PageSize, req.PageToken = perPage, shell.Readable(q.Get(shell.PageField))
	now := h.Clock.Now()
	found, err := h.usages.ListRequests(r.Context(), req)
	if faults, refused := shell.FaultsOf(err, controls); refused {
		if req.GetPageToken() != "" { // the page token is invalid, so redirect to the first page
			web.SeeOther(w, filter.Address())
			return nil
		}
		return h.draw(w, r, v, view{Filter: filter}, nil, faults)
	}
	if err != nil {
		return err
	}
	body := view{Filter: filter, Refresh: filter.Address(), Download: fields.Address(filter, shell.RequestsPath+".csv"), Later: req.GetPageToken() != ""}
	body.Requests.Older = filter.page(found.GetNextPageToken())
	if at := found.GetSearchedTo(); at != nil {
		body.SearchedTo = shell.Instant(at.AsTime())
	}
	if !body.Later && filter.To == "" {
		body.Follow, body.Since = fields.Address(filter, newestPath), shell.Stamp(now)
	}
	return h.draw(w, r, v, body, found.GetRequests(), nil)
}

func (h handlers) draw(w http.ResponseWriter, r *http.Request, v shell.Visit, body view, found []*authv1.RequestEntry, faults []web.Fault) error {
	known, err := h.Catalog(r.Context(), v.AccountID(), h.oldest(), "")
	if err != nil {
		return err
	}
	body.Choices = h.choicesFor(known, body.Filter)
	body.Requests.Rows, body.Filtered, body.Faulty = rowsOf(found, known), body.Filter != Filter{}, faults != nil
	body.Groups = grouped(body.Requests.Rows)
	body.From, body.To = body.Filter.span().Controls()
	if only := known.OnlyApp(); only != "" {
		body.Keys = shell.KeysPath(only)
	}
	page := shell.Page{Template: "requests", Title: "Requests", Body: body, Faults: faults}
	if body.Missing && r.PathValue("request") != "" {
		page.Status = http.StatusNotFound
	}
	w.Header().Set(web.PolicyHeader, h.Policy(true).String())
	return h.Draw(w, r, v, page)
}

// open redirects to the page about the request whose id was entered in the form.
func (h handlers) open(w http.ResponseWriter, r *http.Request, v shell.Visit, filter Filter) error {
	found, err := h.usages.GetRequest(r.Context(), &authv1.GetRequestRequest{AccountId: v.AccountID(), RequestId: filter.RequestID})
	if isMissing(err) {
		return h.drawMissing(w, r, v, filter)
	}
	if err != nil {
		return err
	}
	web.SeeOther(w, pathOf(found.GetRequest().GetRequestId()))
	return nil
}

// isMissing reports whether err means that the log does not contain the request, or that its id is
// invalid.
func isMissing(err error) bool {
	return errs.HasCode(err, "REQUEST_NOT_FOUND") || errs.KindOf(err) == errs.Invalid
}

// drawMissing renders a page that explains why the request may not be in the log.
func (h handlers) drawMissing(w http.ResponseWriter, r *http.Request, v shell.Visit, filter Filter) error {
	return h.draw(w, r, v, view{Filter: filter, Missing: true}, nil, shell.FaultAt("request-id", "The log has no such request. It keeps this account’s requests of the last 30 days."))
}
