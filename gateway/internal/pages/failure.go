package pages

import (
	"net/http"
	"strconv"
	"time"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcx"
)

// codeNoProfile is for people who have an account and no profile.
const codeNoProfile = "PERSON_WITHOUT_PROFILE"

// codeBadRequest and errBadRequest are for requests that no page of ours makes.
const codeBadRequest = "PAGE_REQUEST_MALFORMED"

var (
	errBadRequest = errs.New(errs.Invalid, codeBadRequest, "The request cannot be understood.")
	// errNoProfile keeps an account without a profile from a token that could read
	// nothing: /v1/me has no answer for it.
	errNoProfile = errs.New(errs.Precondition, codeNoProfile, "The person has no profile yet.")
	errNotFound  = errs.New(errs.NotFound, answer.CodeNotFound, "There is no such page.")
)

// failureView is what an error page shows. It never shows the error.
type failureView struct {
	// Message is the stem of the message keys, for example "error.not_found".
	Message string
	// Wait says how long to wait, in the person's language; "" if nothing is known.
	Wait string
	// Reference is the request id, by which the log line is found.
	Reference string
	// Again is the page to open again, "" for the start page.
	Again string
}

// explained gives the codes that people are told more about than their status.
var explained = map[string]struct {
	status  int
	message string
}{
	// Not 401: there is nothing that the person could authenticate with.
	answer.CodeOAuthClient:      {http.StatusBadRequest, "error.authorization"},
	answer.CodeOAuthRequest:     {http.StatusBadRequest, "error.authorization"},
	answer.CodeAccountSuspended: {http.StatusForbidden, "error.app_suspended"},
	answer.CodePlatformDisabled: {http.StatusNotFound, "error.platform_off"},
	"FORM_REFUSED":              {http.StatusForbidden, "error.forbidden"},
	codeNoProfile:               {http.StatusConflict, "error.no_profile"},
	codeBadRequest:              {http.StatusBadRequest, "error.bad_request"},
	"SIGN_IN_SLOWED":            {http.StatusTooManyRequests, "error.slowed"},
}

var messageOf = map[int]string{
	http.StatusBadRequest:            "error.bad_request",
	http.StatusForbidden:             "error.forbidden",
	http.StatusNotFound:              "error.not_found",
	http.StatusMethodNotAllowed:      "error.method",
	http.StatusRequestEntityTooLarge: "error.too_large",
	http.StatusUnsupportedMediaType:  "error.media_type",
	http.StatusTooManyRequests:       "error.slowed",
	http.StatusServiceUnavailable:    "error.unavailable",
}

// Fail answers with a page that says what went wrong, in the person's terms. What
// was the cause goes to the log alone.
func (p *Pages) Fail(w http.ResponseWriter, r *http.Request, err error) {
	securityHeaders(w.Header())
	personal(w.Header())
	failure := answer.FailureOf(err)
	status, message := failure.Status, messageOf[failure.Status]
	if e, ok := errs.As(err); ok {
		if known, isKnown := explained[e.Code]; isKnown {
			status, message = known.status, known.message
			failure.RetryAfter = answer.WholeSeconds(e.RetryAfter)
		}
	}
	if message == "" {
		status, message = http.StatusInternalServerError, "error.internal"
	}
	if status >= http.StatusInternalServerError {
		p.cfg.Log.ErrorContext(r.Context(), "page failed", "request_id", grpcx.RequestID(r.Context()), "error", err.Error())
	}
	p.showFailure(w, r, status, message, failure.RetryAfter)
}

func (p *Pages) showFailure(w http.ResponseWriter, r *http.Request, status int, message string, retryAfter int) {
	language := p.language(r)
	v := failureView{Message: message, Reference: grpcx.RequestID(r.Context())}
	if status == http.StatusTooManyRequests || status == http.StatusServiceUnavailable {
		retryAfter = max(retryAfter, 1)
		w.Header().Set("Retry-After", strconv.Itoa(retryAfter))
		v.Wait, _ = language.Wait(time.Duration(retryAfter) * time.Second) // the texts are tested
	}
	if message == "error.forbidden" {
		v.Again = pageBehind(r)
	}
	title, _ := language.Text(message + ".title")
	if err := p.render(w, r, status, "error", view{Title: title, Data: v}); err != nil {
		p.cfg.Log.ErrorContext(r.Context(), "error page failed", "error", err.Error())
		http.Error(w, http.StatusText(status), status)
	}
}

// pageBehind is the page whose form was refused.
func pageBehind(r *http.Request) string {
	switch r.URL.Path {
	case authorizePath, legacyAuthorizePath:
		return returnPath(r.URL.RequestURI())
	case "/sign-in":
		return signInPath(returnPath(r.PostForm.Get(returnField)))
	default:
		return afterSignIn
	}
}
