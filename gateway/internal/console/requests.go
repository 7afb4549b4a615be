package console

import (
	"html/template"
	"net/http"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const requestsPath = "/requests"

// requestsPerPage is how many requests a page shows.
const requestsPerPage = 50

// pageField is the parameter with the place in a list.
const pageField = "page"

// requestsView is the page of the request log.
type requestsView struct {
	Filter   requestFilter
	Choices  requestChoices
	Requests requestRows
	// Groups are failures that are on the page more than once.
	Groups []sameFailures
	// Refresh is the address of the page itself, Download that of the file.
	Refresh, Download string
	// Follow is where a script asks for newer requests, and Since from when on; empty where no
	// newer ones come.
	Follow, Since string
	// SearchedTo is how far back a search came that stopped before the page was full.
	SearchedTo template.HTML
	// From and To are the times of the filter.
	From, To timeInput
	// Faulty says that the filter could not be used, Filtered that there is one, Later that
	// this is not the first page.
	Faulty, Filtered, Later bool
	// Missing says that the log lacks the request of the filter, which may have been of a key
	// that has ended. Keys is the page of keys if there is one app, else empty.
	Missing bool
	Keys    string
}

// requests shows the request log, newest first (behaviour: console#the-request-log).
func (c *Console) requests(w http.ResponseWriter, r *http.Request, v visit) error {
	q := r.URL.Query()
	filter := requestFilterOf(q)
	if hasBlanks(q) { // a form sends its empty fields too; an address to keep is a short one
		web.SeeOther(w, filter.address(requestsPath))
		return nil
	}
	if filter.RequestID != "" {
		return c.lookUpRequest(w, r, v, filter)
	}
	req, faults := filter.search(v.account.GetAccountId())
	if faults != nil {
		return c.drawRequests(w, r, v, requestsView{Filter: filter}, nil, faults)
	}
	req.PageSize, req.PageToken = requestsPerPage, readable(q.Get(pageField))
	now := c.Clock.Now()
	found, err := c.usages.ListRequests(r.Context(), req)
	if faults, refused := faultsOf(err, requestControls); refused {
		if req.GetPageToken() != "" { // not of a page of this list: an address that was cut off
			web.SeeOther(w, filter.address(requestsPath))
			return nil
		}
		return c.drawRequests(w, r, v, requestsView{Filter: filter}, nil, faults)
	}
	if err != nil {
		return err
	}
	body := requestsView{Filter: filter, Refresh: filter.address(requestsPath), Download: filter.address(requestsPath + ".csv")}
	if next := found.GetNextPageToken(); next != "" {
		body.Requests.Older = filter.address(requestsPath, pageField, next)
	}
	if at := found.GetSearchedTo(); at != nil {
		body.SearchedTo = instant(at.AsTime())
	}
	body.Later = req.GetPageToken() != ""
	if !body.Later && filter.To == "" {
		body.Follow, body.Since = filter.address(newestPath), stamp(now)
	}
	return c.drawRequests(w, r, v, body, found.GetRequests(), nil)
}

func (c *Console) drawRequests(w http.ResponseWriter, r *http.Request, v visit, body requestsView, found []*authv1.RequestEntry, faults []web.Fault) error {
	known, err := c.readCatalog(r.Context(), v.account.GetAccountId(), c.oldestLogged(), "")
	if err != nil {
		return err
	}
	body.Choices = c.requestChoices(known, body.Filter)
	body.Requests.Rows, body.Filtered = rowsOf(found, known).Rows, body.Filter != requestFilter{}
	body.Groups = grouped(body.Requests.Rows)
	body.From, body.To = body.Filter.span().controls()
	if only := known.onlyApp(); only != "" {
		body.Keys = keysPath(only)
	}
	answer := answerPage{name: "requests", title: "Requests", faults: faults}
	if faults != nil {
		answer.status, body.Faulty = http.StatusUnprocessableEntity, true
	}
	if body.Missing && r.PathValue("request") != "" { // the address of a request, and no form
		answer.status = http.StatusNotFound
	}
	answer.body = body
	w.Header().Set(web.PolicyHeader, c.policy(true).String())
	return c.draw(w, r, v, answer)
}

// lookUpRequest leads to the request whose id was written into the form.
func (c *Console) lookUpRequest(w http.ResponseWriter, r *http.Request, v visit, filter requestFilter) error {
	found, err := c.usages.GetRequest(r.Context(), &authv1.GetRequestRequest{AccountId: v.account.GetAccountId(), RequestId: filter.RequestID})
	if isNoRequest(err) {
		return c.drawMissing(w, r, v, filter)
	}
	if err != nil {
		return err
	}
	web.SeeOther(w, requestPath(found.GetRequest().GetRequestId()))
	return nil
}

// isNoRequest reports whether auth has said that the log does not hold a request, or that this
// is no id of one.
func isNoRequest(err error) bool {
	return errs.HasCode(err, codeRequestNotFound) || errs.KindOf(err) == errs.Invalid
}

// drawMissing shows the log's form, and why the log may lack a request.
func (c *Console) drawMissing(w http.ResponseWriter, r *http.Request, v visit, filter requestFilter) error {
	return c.drawRequests(w, r, v, requestsView{Filter: filter, Missing: true}, nil, faultAt("request-id", "The log has no such request. It keeps this account’s requests of the last 30 days."))
}
