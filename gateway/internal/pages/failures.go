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
// answer for an account without a profile (behaviour: sign-in#consent-needs-a-profile).
var errNoProfile = errs.New(errs.Precondition, codeNoProfile, "The person has no profile yet.")

// codeFailed is auth's answer to a wrong password at sign-in, codeWrong to one at a change of
// password, codeSlowed to too many of them, codeBusy to too many passwords that wait to be
// checked.
const (
	codeFailed = "SIGN_IN_FAILED"
	codeWrong  = "WRONG_PASSWORD"
	codeSlowed = "SIGN_IN_SLOWED"
	codeBusy   = "SIGN_IN_BUSY"
)

// codeLinkDead is auth's answer to a link of a mail that was used, has expired or was never
// given, codeMailOff to what needs mail where none is sent, codeEmailTaken to an address that
// has got an account meanwhile.
const (
	codeLinkDead   = "LINK_DEAD"
	codeMailOff    = "MAIL_OFF"
	codeEmailTaken = "EMAIL_TAKEN"
)

// codeProof is auth's answer to a change that asks for a proof that the person is there,
// codeLastWayIn to one that would leave the account without a way in, codeUnknownKey to one of a
// passkey that is not there.
const (
	codeProof      = "PROOF_NEEDED"
	codeLastWayIn  = "LAST_WAY_IN"
	codeUnknownKey = "PASSKEY_UNKNOWN"
)

// failures are the codes about which people are told more than their status.
var failures = map[string]web.Failure{
	// Not 401: there is nothing with which the person could authenticate.
	answer.CodeOAuthClient:      {Status: http.StatusBadRequest, Message: "error.authorization"},
	answer.CodeOAuthRequest:     {Status: http.StatusBadRequest, Message: "error.authorization"},
	answer.CodeAccountSuspended: {Status: http.StatusForbidden, Message: "error.app_suspended"},
	answer.CodePlatformDisabled: {Status: http.StatusNotFound, Message: "error.platform_off"},
	codeNoProfile:               {Status: http.StatusConflict, Message: "error.no_profile"},
	codeLinkDead:                {Status: http.StatusGone, Message: "error.link_dead"},
	codeMailOff:                 {Status: http.StatusNotFound, Message: "error.mail_off"},
	codeEmailTaken:              {Status: http.StatusConflict, Message: "error.email_taken"},
	codeSlowed:                  {Status: http.StatusTooManyRequests, Message: "error.slowed"},
}
