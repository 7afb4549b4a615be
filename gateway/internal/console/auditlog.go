package console

import (
	"cmp"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const auditPath = "/audit"

const (
	// eventsPerPage is how many events a page shows.
	eventsPerPage = 50
	// auditDays is how many days the audit log goes back (behaviour: audit#retention).
	auditDays = 400
)

// auditView is the page of the audit log.
type auditView struct {
	Events []eventView
	Filter auditFilter
	// People, Apps and Outcomes are the choices of the form, and Actions those in groups.
	People, Apps, Outcomes []option
	Actions                []optionGroup
	// From and To are the times of the filter.
	From, To timeInput
	// Filtered says that there is a filter, Faulty that it could not be used.
	Filtered, Faulty bool
	// Older is the address of the next page; empty if there is none. Download is that of the
	// file.
	Older, Download string
}

// auditLog shows the account's part of the audit log, newest first.
func (c *Console) auditLog(w http.ResponseWriter, r *http.Request, v visit) error {
	q := r.URL.Query()
	filter := auditFilterOf(q)
	if hasBlanks(q) { // a form sends its empty fields too; an address to keep is a short one
		web.SeeOther(w, filter.address(auditPath, ""))
		return nil
	}
	req, faults := filter.search(v.account.GetAccountId())
	if faults != nil {
		return c.drawAudit(w, r, v, auditView{Filter: filter}, faults)
	}
	req.PageSize, req.PageToken = eventsPerPage, readable(q.Get(pageField))
	found, err := c.audit.ListEvents(r.Context(), req)
	if faults, refused := faultsOf(err, auditControls); refused {
		if req.GetPageToken() != "" { // not of a page of this list: an address that was cut off
			web.SeeOther(w, filter.address(auditPath, ""))
			return nil
		}
		return c.drawAudit(w, r, v, auditView{Filter: filter}, faults)
	}
	if err != nil {
		return err
	}
	names := eventNames{}
	names.add(found.GetNames())
	body := auditView{Filter: filter, Download: filter.address(auditPath+".csv", "")}
	for _, e := range found.GetEvents() {
		body.Events = append(body.Events, eventOf(e, names))
	}
	if next := found.GetNextPageToken(); next != "" {
		body.Older = filter.address(auditPath, next)
	}
	return c.drawAudit(w, r, v, body, nil)
}

// drawAudit shows the page with the choices of its form.
func (c *Console) drawAudit(w http.ResponseWriter, r *http.Request, v visit, body auditView, faults []web.Fault) error {
	account := v.account.GetAccountId()
	var members []*authv1.AccountMember
	var known *catalog
	calls, ctx := errgroup.WithContext(r.Context())
	calls.Go(func() error {
		listed, err := c.members.ListMembers(ctx, &authv1.ListMembersRequest{AccountId: account})
		members = listed.GetMembers()
		return err
	})
	calls.Go(func() (err error) {
		known, err = c.readApps(ctx, account, c.Clock.Now().AddDate(0, 0, -auditDays))
		return err
	})
	if err := calls.Wait(); err != nil {
		return err
	}
	f := body.Filter
	body.People, body.Apps, body.Outcomes = personOptions(members, f.Person), known.appOptions(f.App), outcomeOptions(f.Outcome)
	body.Actions, body.Filtered, body.Faulty = actionOptions(f.Action), f != auditFilter{}, faults != nil
	body.From, body.To = f.controls()
	page := answerPage{name: "audit", title: "Audit log", body: body, faults: faults}
	if body.Faulty {
		page.status = http.StatusUnprocessableEntity
	}
	return c.draw(w, r, v, page)
}

// auditColumns are the columns of the file. What has no name has the id in its place.
var auditColumns = []string{
	"at", "action", "outcome", "code", "actor", "object", "app", "address", "request_id", "actor_name", "object_name", "app_name",
}

// auditFile gives the same as a CSV file (RFC 4180), at most fileRows of them.
func (c *Console) auditFile(w http.ResponseWriter, r *http.Request, v visit) error {
	req, faults := auditFilterOf(r.URL.Query()).search(v.account.GetAccountId())
	if faults != nil {
		return web.ErrMalformed
	}
	req.PageSize = filePage
	rows, names := [][]string{auditColumns}, eventNames{}
	for len(rows) <= fileRows {
		found, err := c.audit.ListEvents(r.Context(), req)
		if err != nil {
			return err
		}
		names.add(found.GetNames())
		for _, e := range found.GetEvents() {
			rows = append(rows, auditCells(e, names))
		}
		if req.PageToken = found.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	return sendCSV(w, "audit-log.csv", rows[:min(len(rows), fileRows+1)])
}

func auditCells(e *authv1.AuditEvent, names eventNames) []string {
	v, actor := eventOf(e, names), actorID(e.GetActor())
	named := func(id string) string { return cmp.Or(names[id].GetName(), id) }
	return []string{
		v.At.UTC().Format(time.RFC3339Nano), v.Action, v.Outcome, v.Code, actor, e.GetObjectId(), e.GetAppId(), v.Address, v.RequestID,
		named(actor), named(e.GetObjectId()), named(e.GetAppId()),
	}
}
