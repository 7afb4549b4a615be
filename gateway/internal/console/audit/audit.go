// Package audit implements the pages of the audit log (behaviour: console#the-audit-log).
package audit

import (
	"cmp"
	"embed"
	"net/http"
	"time"

	"golang.org/x/sync/errgroup"

	"vitae.internal/gateway/internal/console/shell"
	"vitae.internal/gateway/internal/web"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Files contains the templates of the pages.
//
//go:embed templates
var Files embed.FS

type handlers struct {
	*shell.Shell
	audit   authv1.AuditServiceClient
	members authv1.MemberServiceClient
}

// Routes returns the routes of the pages.
func Routes(s *shell.Shell) []web.Route {
	h := handlers{s, authv1.NewAuditServiceClient(s.Auth), authv1.NewMemberServiceClient(s.Auth)}
	return []web.Route{
		{Path: shell.AuditPath, Get: s.Member(h.list)},
		{Path: shell.AuditPath + ".csv", Get: s.Member(h.file)},
	}
}

const (
	// perPage is the number of events on a page.
	perPage = 50
	// logDays is the number of days for which events are retained (behaviour: audit#retention).
	logDays = 400
)

// view holds the data for the log page.
type view struct {
	Events                 []event
	Filter                 filter
	People, Apps, Outcomes []shell.Option
	Actions                []shell.OptionGroup
	From, To               shell.TimeInput
	// Faulty reports whether the filter is invalid.
	Filtered, Faulty bool
	// Older is the URL of the next page, or "" if there is none. Download is the URL of the CSV
	// file.
	Older, Download string
}

func (h handlers) list(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	q := r.URL.Query()
	f := fields.Read(q)
	if shell.HasBlanks(q) {
		web.SeeOther(w, fields.Address(f, shell.AuditPath))
		return nil
	}
	req, faults := f.search(v.AccountID())
	if faults != nil {
		return h.draw(w, r, v, view{Filter: f}, faults)
	}
	req.PageSize, req.PageToken = perPage, shell.Readable(q.Get(shell.PageField))
	found, err := h.audit.ListEvents(r.Context(), req)
	if faults, refused := shell.FaultsOf(err, controls); refused {
		if req.GetPageToken() != "" { // the page token is invalid, so redirect to the first page
			web.SeeOther(w, fields.Address(f, shell.AuditPath))
			return nil
		}
		return h.draw(w, r, v, view{Filter: f}, faults)
	}
	if err != nil {
		return err
	}
	known := names{}
	known.add(found.GetNames())
	body := view{Filter: f, Download: fields.Address(f, shell.AuditPath+".csv")}
	for _, e := range found.GetEvents() {
		body.Events = append(body.Events, eventOf(e, known))
	}
	if next := found.GetNextPageToken(); next != "" {
		body.Older = fields.Address(f, shell.AuditPath, shell.PageField, next)
	}
	return h.draw(w, r, v, body, nil)
}

// draw renders the page with the options for its form.
func (h handlers) draw(w http.ResponseWriter, r *http.Request, v shell.Visit, body view, faults []web.Fault) error {
	var members []*authv1.AccountMember
	var known *shell.Catalog
	calls, ctx := errgroup.WithContext(r.Context())
	calls.Go(func() error {
		listed, err := h.members.ListMembers(ctx, &authv1.ListMembersRequest{AccountId: v.AccountID()})
		members = listed.GetMembers()
		return err
	})
	calls.Go(func() (err error) {
		known, err = h.Apps(ctx, v.AccountID(), h.Clock.Now().AddDate(0, 0, -logDays))
		return err
	})
	if err := calls.Wait(); err != nil {
		return err
	}
	f := body.Filter
	body.People, body.Apps, body.Outcomes = personOptions(members, f.Person), known.AppOptions(f.App), outcomeOptions(f.Outcome)
	body.Actions, body.Filtered, body.Faulty = actionOptions(f.Action), f != filter{}, faults != nil
	body.From, body.To = f.Controls()
	return h.Draw(w, r, v, shell.Page{Template: "audit", Title: "Audit log", Body: body, Faults: faults})
}

// columns are the columns of the CSV file. An object without a known name is listed by its id.
var columns = []string{
	"at", "action", "outcome", "code", "actor", "object", "app", "address", "request_id", "actor_name", "object_name", "app_name",
}

// file sends the filtered log as a CSV file.
func (h handlers) file(w http.ResponseWriter, r *http.Request, v shell.Visit) error {
	req, faults := fields.Read(r.URL.Query()).search(v.AccountID())
	if faults != nil {
		return web.ErrMalformed
	}
	req.PageSize = shell.FilePage
	rows, known := [][]string{columns}, names{}
	for len(rows) <= shell.FileRows {
		found, err := h.audit.ListEvents(r.Context(), req)
		if err != nil {
			return err
		}
		known.add(found.GetNames())
		for _, e := range found.GetEvents() {
			rows = append(rows, cells(e, known))
		}
		if req.PageToken = found.GetNextPageToken(); req.PageToken == "" {
			break
		}
	}
	return shell.SendCSV(w, "audit-log.csv", rows[:min(len(rows), shell.FileRows+1)])
}

func cells(e *authv1.AuditEvent, known names) []string {
	v, actor := eventOf(e, known), actorID(e.GetActor())
	named := func(id string) string { return cmp.Or(known[id].GetName(), id) }
	return []string{
		v.At.UTC().Format(time.RFC3339Nano), v.Action, v.Outcome, v.Code, actor, e.GetObjectId(), e.GetAppId(), v.Address, v.RequestID,
		named(actor), named(e.GetObjectId()), named(e.GetAppId()),
	}
}
