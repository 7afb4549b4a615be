package console

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/console/plot"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// requestView is the page of a request.
type requestView struct {
	requestRow
	// AppLives says that the app and its keys have pages.
	AppLives bool
	// Place is the route with its id filled in.
	Place, Resource, Bytes string
	Doc                    errorDoc
	// OtherFaults are the faults of the request that the answer had no room for.
	OtherFaults []string
	Metered     bool
	// Scope explains a request that lacked a scope; nil for others.
	Scope *missingScope
	// MinuteLeft and DayLeft are empty if nothing is known. Limit is the limit that refused,
	// with its figures; empty for none.
	MinuteLeft, DayLeft, Limit string
	// Key is the name of the API key and KeyPage the page that has it; KeyID is empty for a
	// token.
	Key, KeyID, KeyPage       string
	Connection, Client, Agent string
	Related                   []link
}

// showRequest shows one request of the log.
func (c *Console) showRequest(w http.ResponseWriter, r *http.Request, v visit) error {
	found, err := c.usages.GetRequest(r.Context(), &authv1.GetRequestRequest{
		AccountId: v.account.GetAccountId(), RequestId: readable(r.PathValue("request")),
	})
	if isNoRequest(err) {
		return c.drawMissing(w, r, v, requestFilter{RequestID: readable(r.PathValue("request"))})
	}
	if err != nil {
		return err
	}
	e := found.GetRequest()
	known, err := c.readCatalog(r.Context(), v.account.GetAccountId(), c.oldestLogged(), e.GetAppId())
	if err != nil {
		return err
	}
	plan := v.account.GetPlan()
	body := requestView{
		requestRow: rowsOf([]*authv1.RequestEntry{e}, known).Rows[0], Place: place(e.GetRoute(), e.GetResourceId()), Resource: e.GetResourceId(),
		Bytes: plot.Grouped(e.GetBytes()), Doc: c.errorDocs[e.GetErrorCode()], OtherFaults: e.GetOtherFaults(), Metered: e.GetMetered(), Scope: c.missingScopeOf(e, known.app[e.GetAppId()].GetScopes()),
		MinuteLeft: leftOf(e.MinuteLeft, plan.GetPerMinute()), DayLeft: leftOf(e.DayLeft, plan.GetPerDay()),
		AppLives: known.lives(e.GetAppId()), Limit: c.limitOf(e.GetRefusedBy(), plan), KeyID: e.GetApiKeyId(), Connection: e.GetConnectionId(),
		Client: e.GetClientAddress(), Agent: e.GetUserAgent(), Related: related(e),
	}
	if body.KeyID != "" {
		body.Key, body.KeyPage = known.keyName(body.KeyID), keysPath(e.GetAppId())
		body.Scope = c.missingScopeOf(e, known.key[body.KeyID].GetScopes())
	}
	return c.draw(w, r, v, answerPage{name: "request", title: "Request " + e.GetRequestId(), body: body})
}

// place is a route with its last parameter, which is the one that the log has the id of,
// filled in. Without an id the route stays as it is.
func place(route, resourceID string) string {
	from, to := strings.LastIndexByte(route, '{'), strings.LastIndexByte(route, '}')
	if resourceID == "" || from < 0 || to < from {
		return route
	}
	return route[:from] + resourceID + route[to+1:]
}

// related are the lists of requests that have something in common with one.
func related(e *authv1.RequestEntry) []link {
	key := link{requestFilter{App: e.GetAppId(), Key: anyToken}.address(requestsPath), "All requests with tokens and links of this app", false}
	if e.GetApiKeyId() != "" {
		key = link{requestFilter{Key: e.GetApiKeyId()}.address(requestsPath), "All requests with this key", false}
	}
	links := []link{key, {requestFilter{Method: e.GetMethod(), Route: e.GetRoute()}.address(requestsPath), "All requests to this route", false}}
	if e.GetResourceId() != "" {
		links = append(links, link{requestFilter{Resource: e.GetResourceId()}.address(requestsPath), "All requests for this resource", false})
	}
	if e.GetErrorCode() != "" {
		links = append(links, link{requestFilter{ErrorCode: e.GetErrorCode()}.address(requestsPath), "All requests with this error", false})
	}
	return links
}
