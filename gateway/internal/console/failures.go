package console

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
)

// Codes of the console's own errors.
const (
	codeNotBegun   = "SIGN_IN_NOT_BEGUN"
	codeNotAllowed = "SIGN_IN_NOT_ALLOWED"
)

// codeRequestNotFound is auth's code for a request that the log does not hold.
const codeRequestNotFound = "REQUEST_NOT_FOUND"

// codeProof is auth's answer to what asks for a recent proof that the person is there.
const codeProof = "PROOF_NEEDED"

// codeFormSent is auth's answer to a form that was sent before.
const codeFormSent = "FORM_SENT"

// notFound is what is not there, or belongs to an account of others.
var notFound = web.Failure{Status: http.StatusNotFound, Message: "error.not_found"}

// failures are the errors about which the failure page says more than their status does,
// and those whose codes no other door answers.
var failures = map[string]web.Failure{
	"ACCOUNT_NOT_FOUND":           notFound,
	"APP_NOT_FOUND":               notFound,
	"API_KEY_NOT_FOUND":           notFound,
	"CLIENT_SECRET_NOT_FOUND":     notFound,
	"MEMBER_NOT_FOUND":            notFound,
	"INVITATION_NOT_FOUND":        {Status: http.StatusNotFound, Message: "error.invitation"},
	"ALREADY_MEMBER":              {Status: http.StatusConflict, Message: "error.already_member"},
	"EMAIL_NOT_VERIFIED":          {Status: http.StatusForbidden, Message: "error.email"},
	codeNotBegun:                  {Status: http.StatusBadRequest, Message: "error.not_begun"},
	codeNotAllowed:                {Status: http.StatusForbidden, Message: "error.not_allowed"},
	"ROLE_NOT_ALLOWED":            {Status: http.StatusForbidden, Message: "error.role"},
	"DEVELOPER_ACCOUNT_SUSPENDED": {Status: http.StatusForbidden, Message: "error.suspended"},
	"LAST_OWNER":                  {Status: http.StatusConflict, Message: "error.last_owner"},
	"TWO_CLIENT_SECRETS":          {Status: http.StatusConflict, Message: "error.two_secrets"},
}
