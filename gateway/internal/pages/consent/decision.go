package consent

import (
	"context"
	"net/http"
	"time"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// decide handles the person's decision and sends the browser back to the app.
func (p Pages) decide(w http.ResponseWriter, r *http.Request, who shell.Person) error {
	if err := p.Config.Charge(r); err != nil {
		return err
	}
	c, err := p.open(w, r)
	if c == nil {
		return err
	}
	switch r.PostForm.Get("decision") {
	case "cancel":
		p.declined(r, who, c)
		p.EndWaiting(w)
		web.SeeOther(w, c.request.Refuse(p.Issuer, &authv1.AuthorizationFault{
			Error: "access_denied", Description: "The person declined.",
		}))
		return nil
	case "preview":
		return p.preview(w, r, who, c)
	case "allow":
		return p.allow(w, r, who, c)
	case "continue":
		return p.goOn(w, r, who, c)
	default:
		return web.ErrMalformed
	}
}

// declineWithin limits how long people have to wait for the audit log before they return to the app.
const declineWithin = 2 * time.Second

// declined records in the audit log that the person has declined. If this fails, declined only logs the
// error, because the app is waiting for the response.
func (p Pages) declined(r *http.Request, who shell.Person, c *pending) {
	ctx, cancel := context.WithTimeout(r.Context(), declineWithin)
	defer cancel()
	if _, err := p.oauth.DeclineAuthorization(ctx, &authv1.DeclineAuthorizationRequest{
		Parameters: c.request.Parameters(), SessionToken: who.Token,
	}); err != nil {
		p.Log.ErrorContext(r.Context(), "a declined consent is not in the audit log",
			"request_id", grpcx.RequestID(r.Context()), "app", c.app.GetId(), "error", err)
	}
}

func (p Pages) allow(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending) error {
	chosen, field, message, err := p.choice(r, who, c)
	if err != nil {
		return err
	}
	if message != "" {
		return p.askAgain(w, r, who, c, chosen, field, message)
	}
	resp, err := p.oauth.Authorize(r.Context(), &authv1.AuthorizeRequest{
		Parameters:     c.request.Parameters(),
		SessionToken:   who.Token,
		GrantedScopes:  c.granted(chosen),
		DeclinedScopes: c.declined(chosen),
		CvId:           chosen.cvToShare(),
		SharePhoto:     chosen.Photo,
	})
	if errs.HasCode(err, "OAUTH_INVALID_SCOPE") {
		return p.askAgain(w, r, who, c, chosen, c.firstBox(), "consent.error.scopes")
	}
	if err != nil {
		return err
	}
	p.answer(w, c, resp)
	return nil
}

// answer sends the browser back to the app with a code, or with an error if the request has become invalid.
func (p Pages) answer(w http.ResponseWriter, c *pending, resp *authv1.AuthorizeResponse) {
	p.EndWaiting(w)
	if fault := resp.GetFault(); fault != nil {
		web.SeeOther(w, c.request.Refuse(p.Issuer, fault))
		return
	}
	web.SeeOther(w, c.request.Grant(p.Issuer, resp.GetCode()))
}

// askAgain shows the form as it was submitted, with error messages.
func (p Pages) askAgain(w http.ResponseWriter, r *http.Request, who shell.Person, c *pending, chosen selection, field, message string) error {
	fault, err := p.Fault(r, field, message, "app", c.app.GetName())
	if err != nil {
		return err
	}
	return p.draw(w, r, who, c, chosen, []web.Fault{fault})
}
