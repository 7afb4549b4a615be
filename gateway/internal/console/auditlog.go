package console

import (
	"net/http"
	"net/url"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const auditPath = "/audit"

// eventsPerPage is how many events a page shows.
const eventsPerPage = 50

// eventView is a row of the audit log.
type eventView struct {
	At                                                            time.Time
	Action, Outcome, Code, Actor, Object, App, Address, RequestID string
	// ActorName is the actor's name, if they are a member; the same as Actor otherwise.
	ActorName string
}

// auditView is the page of the audit log.
type auditView struct {
	Events []eventView
	// Action, From and To are what the filter holds.
	Action, From, To string
	// Older is the address of the next page; empty if there is none. Download is that of the
	// file.
	Older, Download string
}

// auditLog shows the account's part of the audit log, newest first.
func (c *Console) auditLog(w http.ResponseWriter, r *http.Request, v visit) error {
	q := r.URL.Query()
	body := auditView{Action: q.Get("action"), From: q.Get("from"), To: q.Get("to")}
	req, faults := auditSearch(v.account.GetAccountId(), q)
	if faults != nil {
		return c.draw(w, r, v, answerPage{status: http.StatusUnprocessableEntity, name: "audit", title: "Audit log", body: body, faults: faults})
	}
	req.PageSize, req.PageToken = eventsPerPage, q.Get("page")
	found, err := c.audit.ListEvents(r.Context(), req)
	if faults, refused := faultsOf(err, controls{"actions": "action", "from": "from", "to": "to"}); refused {
		return c.draw(w, r, v, answerPage{status: http.StatusUnprocessableEntity, name: "audit", title: "Audit log", body: body, faults: faults})
	}
	if err != nil {
		return err
	}
	by, err := c.namesOf(r, v, actors(found)...)
	if err != nil {
		return err
	}
	for _, e := range found.GetEvents() {
		one := eventOf(e, by)
		one.Object = by.of(one.Object)
		body.Events = append(body.Events, one)
	}
	filter := url.Values{}
	for _, name := range []string{"action", "from", "to"} {
		if value := q.Get(name); value != "" {
			filter.Set(name, value)
		}
	}
	body.Download = auditPath + ".csv?" + filter.Encode()
	if next := found.GetNextPageToken(); next != "" {
		filter.Set("page", next)
		body.Older = auditPath + "?" + filter.Encode()
	}
	return c.draw(w, r, v, answerPage{name: "audit", title: "Audit log", body: body})
}

// auditSearch reads the filter of the page.
func auditSearch(accountID string, q url.Values) (*authv1.ListEventsRequest, []web.Fault) {
	req := &authv1.ListEventsRequest{AccountId: accountID}
	if action := q.Get("action"); action != "" {
		req.Actions = []string{action}
	}
	if day := q.Get("from"); day != "" {
		at, err := time.Parse(time.DateOnly, day)
		if err != nil {
			return nil, faultAt("from", noDay)
		}
		req.From = timestamppb.New(at)
	}
	if day := q.Get("to"); day != "" {
		at, err := endOf(day)
		if err != nil {
			return nil, faultAt("to", noDay)
		}
		req.To = timestamppb.New(at)
	}
	return req, nil
}

// actors are the ids of who did the events, and of the people to whom it was done.
func actors(found *authv1.ListEventsResponse) (ids []string) {
	for _, e := range found.GetEvents() {
		ids = append(ids, e.GetActor().GetId(), e.GetObjectId())
	}
	return ids
}

func eventOf(e *authv1.AuditEvent, by names) eventView {
	v := eventView{
		At: e.GetAt().AsTime(), Action: e.GetAction(), Code: e.GetErrorCode(), Outcome: "done", Actor: actorName(e.GetActor()),
		Object: e.GetObjectId(), App: e.GetAppId(), Address: e.GetClientAddress(), RequestID: e.GetRequestId(),
	}
	if v.Code != "" {
		v.Outcome = "refused"
	}
	v.ActorName = by.of(v.Actor)
	return v
}

func actorName(a *authv1.AuditActor) string {
	if a.GetId() != "" {
		return a.GetId()
	}
	return strings.ToLower(strings.TrimPrefix(a.GetKind().String(), "ACTOR_KIND_"))
}

// auditColumns are the columns of the file.
var auditColumns = []string{"at", "action", "outcome", "code", "actor", "object", "app", "address", "request_id", "actor_name"}

// auditFile gives the same as a CSV file (RFC 4180), at most fileRows of them.
func (c *Console) auditFile(w http.ResponseWriter, r *http.Request, v visit) error {
	req, faults := auditSearch(v.account.GetAccountId(), r.URL.Query())
	if faults != nil {
		return web.ErrMalformed
	}
	req.PageSize = filePage
	rows, by := [][]string{auditColumns}, names{}
	for len(rows) <= fileRows {
		found, err := c.audit.ListEvents(r.Context(), req)
		if err != nil {
			return err
		}
		if len(by) == 0 {
			if by, err = c.namesOf(r, v, actors(found)...); err != nil {
				return err
			}
		}
		for _, e := range found.GetEvents() {
			one := eventOf(e, by)
			rows = append(rows, []string{
				one.At.UTC().Format(time.RFC3339Nano), one.Action, one.Outcome, one.Code, one.Actor, one.Object, one.App, one.Address, one.RequestID, one.ActorName,
			})
		}
		if req.PageToken = found.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	return sendCSV(w, "audit-log.csv", rows[:min(len(rows), fileRows+1)])
}
