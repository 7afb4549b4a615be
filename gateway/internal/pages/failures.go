package pages

import (
	"net/http"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/errs"
)

// codeNoProfile is for people who have an account and no profile.
const codeNoProfile = "PERSON_WITHOUT_PROFILE"

// errNoProfile keeps an app from a token that could read nothing: /v1/me has no
// answer for an account without a profile (behaviour: sign-in#no-profile-no-consent).
var errNoProfile = errs.New(errs.Precondition, codeNoProfile, "The person has no profile yet.")

// codeSlowed is auth's answer to too many wrong passwords, codeBusy to too many
// passwords that wait to be checked.
const (
	codeSlowed = "SIGN_IN_SLOWED"
	codeBusy   = "SIGN_IN_BUSY"
)

// failures are the codes about which people are told more than their status.
var failures = map[string]web.Failure{
	// Not 401: there is nothing with which the person could authenticate.
	answer.CodeOAuthClient:      {Status: http.StatusBadRequest, Message: "error.authorization"},
	answer.CodeOAuthRequest:     {Status: http.StatusBadRequest, Message: "error.authorization"},
	answer.CodeAccountSuspended: {Status: http.StatusForbidden, Message: "error.app_suspended"},
	answer.CodePlatformDisabled: {Status: http.StatusNotFound, Message: "error.platform_off"},
	codeNoProfile:               {Status: http.StatusConflict, Message: "error.no_profile"},
	codeSlowed:                  {Status: http.StatusTooManyRequests, Message: "error.slowed"},
}
