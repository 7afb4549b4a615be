package shell

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
)

const codeNoProfile = "PERSON_WITHOUT_PROFILE"

// ErrNoProfile is returned for people who have an account but no profile. Without it, apps would
// get a token with which they could read nothing (behaviour: sign-in#consent-needs-a-profile).
var ErrNoProfile = errs.New(errs.Precondition, codeNoProfile, "The person has no profile yet.")

// Error codes of the auth service that several packages handle.
const (
	// CodeSlowed means that there were too many password guesses. CodeLinkDead means that an
	// emailed link has been used, has expired or never existed.
	CodeSlowed   = "SIGN_IN_SLOWED"
	CodeLinkDead = "LINK_DEAD"
)

// Failures maps error codes to dedicated failure pages.
var Failures = map[string]web.Failure{
	// The status is not 401, because the person has no credential that would help.
	answer.CodeOAuthClient:      {Status: http.StatusBadRequest, Message: "error.authorization"},
	answer.CodeOAuthRequest:     {Status: http.StatusBadRequest, Message: "error.authorization"},
	answer.CodeAccountSuspended: {Status: http.StatusForbidden, Message: "error.app_suspended"},
	answer.CodePlatformDisabled: {Status: http.StatusNotFound, Message: "error.platform_off"},
	codeNoProfile:               {Status: http.StatusConflict, Message: "error.no_profile"},
	CodeLinkDead:                {Status: http.StatusGone, Message: "error.link_dead"},
	"MAIL_OFF":                  {Status: http.StatusNotFound, Message: "error.mail_off"},
	"EMAIL_TAKEN":               {Status: http.StatusConflict, Message: "error.email_taken"},
	CodeSlowed:                  {Status: http.StatusTooManyRequests, Message: "error.slowed"},
}
