package requests

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/console/plot"
	"vitae.internal/gateway/internal/console/shell"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// detail holds the data for the page about one request.
type detail struct {
	row
	// AppLives reports whether the app still exists, so the app and its keys have pages.
	AppLives bool
	// Place is the route with the resource id filled in.
	Place, Resource, Bytes string
	Doc                    errorDoc
	// OtherFaults are validation errors that did not fit into the response.
	OtherFaults []string
	Metered     bool
	// Scope explains which scope is missing, or is nil if none is.
	Scope *missingScope
	// MinuteLeft and DayLeft are "" if unknown. Limit describes the limit that rejected the
	// request. It is "" if none did.
	MinuteLeft, DayLeft, Limit string
	// Key is the name of the API key. KeyPage is the path of its page. KeyID is "" for a token.
	Key, KeyID, KeyPage       string
	Connection, Client, Agent string
	Related                   []shell.Link
}

func (h handlers) show(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	id := shell.Readable(r.PathValue("request"))
	found, err := h.usages.GetRequest(r.Context(), &authv1.GetRequestRequest{AccountId: v.AccountID(), RequestId: id})
	if isMissing(err) {
		return h.drawMissing(w, r, v, Filter{RequestID: id})
	}
	if err != nil {
		return err
	}
	e := found.GetRequest()
	known, err := h.Catalog(r.Context(), v.AccountID(), h.oldest(), e.GetAppId())
	if err != nil {
		return err
	}
	plan := v.Member.GetPlan()
	body := detail{
		row: rowsOf([]*authv1.RequestEntry{e}, known)[0], Place: place(e.GetRoute(), e.GetResourceId()), Resource: e.GetResourceId(),
		Bytes: plot.Grouped(e.GetBytes()), Doc: h.docs[e.GetErrorCode()], OtherFaults: e.GetOtherFaults(), Metered: e.GetMetered(),
		Scope:      h.missingScopeOf(e, known.App(e.GetAppId()).GetScopes()),
		MinuteLeft: leftOf(e.MinuteLeft, plan.GetPerMinute()), DayLeft: leftOf(e.DayLeft, plan.GetPerDay()),
		AppLives: known.HasPage(e.GetAppId()), Limit: h.limitOf(e.GetRefusedBy(), plan), KeyID: e.GetApiKeyId(), Connection: e.GetConnectionId(),
		Client: e.GetClientAddress(), Agent: e.GetUserAgent(), Related: related(e),
	}
	if body.KeyID != "" {
		body.Key, body.KeyPage = known.KeyName(body.KeyID), shell.KeysPath(e.GetAppId())
		body.Scope = h.missingScopeOf(e, known.Key(body.KeyID).GetScopes())
	}
	return h.Draw(w, r, v, shell.Page{Template: "request", Title: "Request " + e.GetRequestId(), Body: body})
}

// place replaces the last parameter of a route with the logged resource id.
func place(route, resourceID string) string {
	from, to := strings.LastIndexByte(route, '{'), strings.LastIndexByte(route, '}')
	if resourceID == "" || from < 0 || to < from {
		return route
	}
	return route[:from] + resourceID + route[to+1:]
}

// related returns links to similar requests.
func related(e *authv1.RequestEntry) (links []shell.Link) {
	add := func(f Filter, text string) { links = append(links, shell.Link{Path: f.Address(), Text: text}) }
	if e.GetApiKeyId() != "" {
		add(Filter{Key: e.GetApiKeyId()}, "All requests with this key")
	} else {
		add(Filter{App: e.GetAppId(), Key: shell.AnyToken}, "All requests with tokens and links of this app")
	}
	add(Filter{Method: e.GetMethod(), Route: e.GetRoute()}, "All requests to this route")
	if e.GetResourceId() != "" {
		add(Filter{Resource: e.GetResourceId()}, "All requests for this resource")
	}
	if e.GetErrorCode() != "" {
		add(Filter{ErrorCode: e.GetErrorCode()}, "All requests with this error")
	}
	return links
}
