package shell

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
)

const codeNoProfile = "PERSON_WITHOUT_PROFILE"

// ErrNoProfile is for people who have an account and no profile. It keeps an app from a token that
// could read nothing (behaviour: sign-in#consent-needs-a-profile).
var ErrNoProfile = errs.New(errs.Precondition, codeNoProfile, "The person has no profile yet.")

// Codes of auth that several subjects answer.
const (
	// CodeSlowed is for too many guesses at a password, CodeLinkDead for an emailed link that was used, has
	// expired or was never made.
	CodeSlowed   = "SIGN_IN_SLOWED"
	CodeLinkDead = "LINK_DEAD"
)

// Failures are the codes with their own failure page.
var Failures = map[string]web.Failure{
	// Not 401: there is nothing with which the person could authenticate.
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
