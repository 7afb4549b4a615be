package pages

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

const (
	dataPath = "/account/data"
	// dataExportPath takes the form that asks for an export, dataProgressPath is how far it is.
	dataExportPath   = "/account/data/export"
	dataProgressPath = "/account/data/progress"
	dataDownloadPath = "/account/data/exports/{id}/download"
	dataDeletePath   = "/account/data/delete"
	dataKeepPath     = "/account/data/keep"
)

// Codes of the parts.
const (
	codeExportLimit = "EXPORT_LIMIT"
	codeOnlyOwner   = "ONLY_OWNER"
)

// dataPolicy lets the site's own script ask how far an export is.
var dataPolicy = web.Policy{Scripts: true, Connect: true}.String()

// Confirmations is what the pages need of a person's data in auth.
type Confirmations interface {
	ConfirmPerson(context.Context, *authv1.ConfirmPersonRequest, ...grpc.CallOption) (*authv1.ConfirmPersonResponse, error)
	RequestDeletion(context.Context, *authv1.RequestDeletionRequest, ...grpc.CallOption) (*authv1.RequestDeletionResponse, error)
	KeepAccount(context.Context, *authv1.KeepAccountRequest, ...grpc.CallOption) (*authv1.KeepAccountResponse, error)
}

// Exports is what the pages need of exports.
type Exports interface {
	StartExport(context.Context, *candidatev1.StartExportRequest, ...grpc.CallOption) (*candidatev1.StartExportResponse, error)
	GetExport(context.Context, *candidatev1.GetExportRequest, ...grpc.CallOption) (*candidatev1.GetExportResponse, error)
	DownloadExport(context.Context, *candidatev1.DownloadExportRequest, ...grpc.CallOption) (grpc.ServerStreamingClient[candidatev1.DownloadExportResponse], error)
}

// dataPages are a person's data as a whole: a copy of it, and its deletion
// (behaviour: account-data).
type dataPages struct {
	entry   signIn
	auth    Confirmations
	exports Exports
}

// dataView is the own part of the page.
type dataView struct {
	// BeingMade, Ready and Failed say how far the latest export is; none is set without one.
	BeingMade, Ready, Failed bool
	ID                       string
	Done, Steps              int32
	Requested, Expires       time.Time
	// Size in megabytes, with one digit after the point.
	Size string
	// AskPassword says that the person has not proven to be there lately. Confirm is the page
	// on which it can be done in another way than by the password.
	AskPassword bool
	Confirm     string
	// Leaving is when the account is deleted, the zero time if it is not to be.
	Leaving time.Time
}

// routes are the pages of a person's data.
func (p dataPages) routes(own func(ownPage) web.Handler) []web.Route {
	return []web.Route{
		{Path: dataPath, Get: own(p.show)},
		{Path: dataProgressPath, Get: own(p.progress)},
		{Path: dataExportPath, Post: own(p.start)},
		{Path: dataDownloadPath, Post: own(p.download)},
		{Path: dataDeletePath, Post: own(p.requestDeletion)},
		{Path: dataKeepPath, Post: own(p.keep)},
	}
}

// show draws the page.
func (p dataPages) show(w http.ResponseWriter, r *http.Request, who person) error {
	notice, err := p.entry.site.TakeNotice(w, r, "app")
	if err != nil {
		return err
	}
	return p.draw(w, r, http.StatusOK, who, web.View{Notice: notice})
}

func (p dataPages) draw(w http.ResponseWriter, r *http.Request, status int, who person, v web.View) error {
	if err := p.fill(r, who, &v); err != nil {
		return err
	}
	w.Header().Set(web.PolicyHeader, dataPolicy)
	return p.entry.site.Render(w, r, status, "data", v)
}

// progress draws the part about the export, which the script of the page puts in its place.
func (p dataPages) progress(w http.ResponseWriter, r *http.Request, who person) error {
	var v web.View
	if err := p.fill(r, who, &v); err != nil {
		return err
	}
	return p.entry.site.RenderPart(w, r, "data", "export", v)
}

// fill completes a view with what the parts know.
func (p dataPages) fill(r *http.Request, who person, v *web.View) (err error) {
	resp, err := p.exports.GetExport(r.Context(), &candidatev1.GetExportRequest{PersonId: who.GetId()})
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
		AskPassword: !who.proven, Confirm: confirmTo(dataPath), Leaving: who.leaving,
	}
	p.entry.site.Identify(v, who)
	v.Title, err = p.entry.site.Language(r).Text("data.title")
	return err
}

// megabytes is a size with one digit after the point, 0.1 at least.
func megabytes(size int64) string { return fmt.Sprintf("%.1f", max(float64(size)/(1<<20), 0.1)) }

// start asks for an export.
func (p dataPages) start(w http.ResponseWriter, r *http.Request, who person) error {
	_, err := p.exports.StartExport(r.Context(), &candidatev1.StartExportRequest{PersonId: who.GetId(), Language: p.entry.site.Language(r).Tag()})
	if errs.HasCode(err, codeExportLimit) {
		e, _ := errs.As(err)
		fault, err := p.entry.waits(w, r, "export", "data.error.often", e.RetryAfter)
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

// confirmation is what a form says of the person who sends it.
func (p dataPages) confirmation(r *http.Request, who person, known heldDevice) *authv1.ConfirmPersonRequest {
	return &authv1.ConfirmPersonRequest{
		SessionToken: who.token, CurrentPassword: r.PostForm.Get("current_password"), ClientIp: p.entry.clientIP(r),
		DeviceToken: known.token, DeviceSince: known.sinceProto(),
	}
}

// refuse shows the page again after an error of auth about the person who sent a form. field is
// the one of the form.
func (p dataPages) refuse(w http.ResponseWriter, r *http.Request, who person, known heldDevice, begun time.Time, field string, err error) error {
	if errs.HasCode(err, codeOnlyOwner) {
		fault, err := p.entry.site.Fault(r, "delete", "data.error.only_owner")
		if err != nil {
			return err
		}
		return p.draw(w, r, http.StatusConflict, who, web.View{Faults: []web.Fault{fault}})
	}
	key := "password.error.wrong"
	if r.PostForm.Get("current_password") == "" {
		key = "data.error.password_missing"
	} else {
		p.entry.noteFailure(w, known, begun, err)
	}
	status, faults, err := p.entry.refusal(w, r, err, map[string]fieldFault{"current_password": {field, key}})
	if err != nil {
		return err
	}
	for i := range faults {
		faults[i].Field = field
	}
	who.proven = false // auth has asked for the password
	return p.draw(w, r, status, who, web.View{Faults: faults})
}

// requestDeletion has the account deleted after a week.
func (p dataPages) requestDeletion(w http.ResponseWriter, r *http.Request, who person) error {
	known, begun := p.entry.device(r), p.entry.clock.Now()
	if len(r.PostForm.Get("current_password")) > maxPassword {
		r.PostForm.Del("current_password")
	}
	_, err := p.auth.RequestDeletion(r.Context(), &authv1.RequestDeletionRequest{
		By: p.confirmation(r, who, known), Language: p.entry.site.Language(r).Tag(),
	})
	if err != nil {
		return p.refuse(w, r, who, known, begun, "delete_password", err)
	}
	p.entry.site.Notify(w, "notice.deletion_requested", "")
	web.SeeOther(w, dataPath)
	return nil
}

// keep keeps the account after all.
func (p dataPages) keep(w http.ResponseWriter, r *http.Request, who person) error {
	if _, err := p.auth.KeepAccount(r.Context(), &authv1.KeepAccountRequest{SessionToken: who.token, Language: p.entry.site.Language(r).Tag()}); err != nil {
		return err
	}
	p.entry.site.Notify(w, "notice.account_kept", "")
	web.SeeOther(w, dataPath)
	return nil
}
