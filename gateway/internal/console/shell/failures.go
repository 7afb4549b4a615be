package shell

import (
	"net/http"

	"vitae.internal/gateway/internal/web"
)

// Error codes of the console itself.
const (
	CodeNotBegun   = "SIGN_IN_NOT_BEGUN"
	CodeNotAllowed = "SIGN_IN_NOT_ALLOWED"
)

// Error codes of the auth service. codeProof means that the person must re-authenticate.
// codeFormSent means that the form was submitted before.
const (
	codeProof    = "PROOF_NEEDED"
	codeFormSent = "FORM_SENT"
)

// notFound is the failure for objects that do not exist or that belong to a different account.
var notFound = web.Failure{Status: http.StatusNotFound, Message: "error.not_found"}

// failures maps error codes to failures with their own message or status.
var failures = map[string]web.Failure{
	"ACCOUNT_NOT_FOUND":           notFound,
	"APP_NOT_FOUND":               notFound,
	"API_KEY_NOT_FOUND":           notFound,
	"CLIENT_SECRET_NOT_FOUND":     notFound,
	"MEMBER_NOT_FOUND":            notFound,
	"INVITATION_NOT_FOUND":        {Status: http.StatusNotFound, Message: "error.invitation"},
	"ALREADY_MEMBER":              {Status: http.StatusConflict, Message: "error.already_member"},
	"EMAIL_NOT_VERIFIED":          {Status: http.StatusForbidden, Message: "error.email"},
	CodeNotBegun:                  {Status: http.StatusBadRequest, Message: "error.not_begun"},
	CodeNotAllowed:                {Status: http.StatusForbidden, Message: "error.not_allowed"},
	"ROLE_NOT_ALLOWED":            {Status: http.StatusForbidden, Message: "error.role"},
	"DEVELOPER_ACCOUNT_SUSPENDED": {Status: http.StatusForbidden, Message: "error.suspended"},
	"LAST_OWNER":                  {Status: http.StatusConflict, Message: "error.last_owner"},
	"TWO_CLIENT_SECRETS":          {Status: http.StatusConflict, Message: "error.two_secrets"},
}
