package account

import (
	"fmt"
	"log/slog"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/credential"
	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	dataPath       = "/account/data"
	dataDeletePath = "/account/data/delete"
)

// Error codes of the services.
const (
	codeExportLimit = "EXPORT_LIMIT"
	codeOnlyOwner   = "ONLY_OWNER"
)

// dataPolicy lets the site's own script poll the progress of an export.
var dataPolicy = web.Policy{Scripts: true, Connect: true}.String()

// dataPages serves the pages for exporting and deleting all of a person's data (behaviour: account-data).
type dataPages struct {
	credential.Forms
	console string
	auth    authv1.PersonDataServiceClient
	exports candidatev1.PersonDataServiceClient
	log     *slog.Logger
}

type dataView struct {
	// BeingMade, Ready and Failed report the state of the latest export. If there is no export, none of them
	// is set.
	BeingMade, Ready, Failed bool
	ID                       string
	Done, Steps              int32
	Requested, Expires       time.Time
	// Size is the size in megabytes, with one decimal.
	Size string
	// Proven reports whether the person has re-authenticated recently.
	Proven bool
	// Leaving is when the account will be deleted, or the zero time if no deletion is scheduled.
	Leaving time.Time
	// Owned are the names of the developer accounts that prevent the deletion, because the person is their
	// only owner. Team is the URL of the page on which someone else can be made an owner.
	Owned []string
	Team  string
}

// show shows the page.
func (p dataPages) show(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	notice, err := p.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	return p.draw(w, r, http.StatusOK, who, web.View{Notice: notice})
}

func (p dataPages) draw(w http.ResponseWriter, r *http.Request, status int, who shell.Person, v web.View) error {
	if err := p.fill(r, who, &v); err != nil {
		return err
	}
	return p.render(w, r, status, v)
}

func (p dataPages) render(w http.ResponseWriter, r *http.Request, status int, v web.View) error {
	w.Header().Set(web.PolicyHeader, dataPolicy)
	return p.Render(w, r, status, "data", v)
}

// progress renders the section about the export, which the page's script inserts into the page.
func (p dataPages) progress(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	var v web.View
	if err := p.fill(r, who, &v); err != nil {
		return err
	}
	return p.RenderPart(w, r, "data", "export", v)
}

// fill completes a view with data from the services.
func (p dataPages) fill(r *http.Request, who shell.Person, v *web.View) (err error) {
	resp, err := p.exports.GetExport(r.Context(), &candidatev1.GetExportRequest{SessionToken: who.Token})
	if err != nil {
		return err
	}
	e := resp.GetExport()
	v.Data = dataView{
		BeingMade: e.GetState() == candidatev1.ExportState_EXPORT_STATE_BEING_MADE,
		Ready:     e.GetState() == candidatev1.ExportState_EXPORT_STATE_READY,
		Failed:    e.GetState() == candidatev1.ExportState_EXPORT_STATE_FAILED,
		ID:        e.GetId(), Done: e.GetDone(), Steps: e.GetSteps(),
		Requested: e.GetRequestedAt().AsTime(), Expires: e.GetExpiresAt().AsTime(), Size: megabytes(e.GetSize()),
		Proven: who.Proven, Leaving: who.Leaving(),
	}
	p.Identify(v, who)
	v.Title, err = p.Language(r).Text("data.title")
	return err
}

// megabytes formats a size in megabytes with one decimal. The minimum is 0.1.
func megabytes(size int64) string { return fmt.Sprintf("%.1f", max(float64(size)/(1<<20), 0.1)) }

// start requests an export.
func (p dataPages) start(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	_, err := p.exports.StartExport(r.Context(), &candidatev1.StartExportRequest{SessionToken: who.Token, Language: p.Language(r).Tag()})
	if errs.HasCode(err, codeExportLimit) {
		e, _ := errs.As(err)
		fault, err := p.Waits(w, r, "export", "data.error.often", e.RetryAfter)
		if err != nil {
			return err
		}
		return p.draw(w, r, http.StatusTooManyRequests, who, web.View{Faults: []web.Fault{fault}})
	}
	if err != nil {
		return err
	}
	web.SeeOther(w, dataPath)
	return nil
}

// askDelete explains what deleting the account does, and asks for confirmation. If the person is the only
// owner of a developer account, it explains why the account cannot be deleted.
func (p dataPages) askDelete(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	if !who.Leaving().IsZero() { // it was requested in a different tab
		web.SeeOther(w, dataPath)
		return nil
	}
	owned, err := p.auth.ListSolelyOwnedAccounts(r.Context(), &authv1.ListSolelyOwnedAccountsRequest{SessionToken: who.Token})
	if err != nil {
		return err
	}
	if len(owned.GetAccounts()) > 0 {
		return p.refuseOnlyOwner(w, r, who, owned.GetAccounts())
	}
	return p.Show(w, r, who, http.StatusOK, "datadelete", web.View{}, "data.delete.ask")
}

// requestDeletion schedules the deletion of the account in a week.
func (p dataPages) requestDeletion(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	_, err := p.auth.RequestDeletion(r.Context(), &authv1.RequestDeletionRequest{SessionToken: who.Token, Language: p.Language(r).Tag()})
	if errs.HasCode(err, codeOnlyOwner) { // the person has become the only owner since the page was rendered
		return p.askDelete(w, r, who)
	}
	if err != nil {
		return err
	}
	return p.GoTo(w, dataPath, "notice.deletion_requested", "")
}

// refuseOnlyOwner shows the accounts that would be left without an owner, with links to their teams.
func (p dataPages) refuseOnlyOwner(w http.ResponseWriter, r *http.Request, who shell.Person, owned []*authv1.SolelyOwnedAccount) error {
	faults, err := p.Faults(r, shell.At("delete", "data.error.only_owner"))
	if err != nil {
		return err
	}
	v := web.View{Faults: faults}
	if err := p.fill(r, who, &v); err != nil {
		return err
	}
	data := v.Data.(dataView)
	for _, a := range owned {
		data.Owned = append(data.Owned, a.GetName())
	}
	data.Team = p.console + "/team"
	v.Data = data
	return p.render(w, r, http.StatusConflict, v)
}

// keep cancels the deletion of the account.
func (p dataPages) keep(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	if _, err := p.auth.KeepAccount(r.Context(), &authv1.KeepAccountRequest{SessionToken: who.Token, Language: p.Language(r).Tag()}); err != nil {
		return err
	}
	return p.GoTo(w, dataPath, "notice.account_kept", "")
}
