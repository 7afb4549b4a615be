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

// failures are the errors about which the failure page says more than their status does.
var failures = map[string]web.Failure{
	codeNotBegun:                  {Status: http.StatusBadRequest, Message: "error.not_begun"},
	codeNotAllowed:                {Status: http.StatusForbidden, Message: "error.not_allowed"},
	"ROLE_NOT_ALLOWED":            {Status: http.StatusForbidden, Message: "error.role"},
	"DEVELOPER_ACCOUNT_SUSPENDED": {Status: http.StatusForbidden, Message: "error.suspended"},
	"LAST_OWNER":                  {Status: http.StatusConflict, Message: "error.last_owner"},
	"TWO_CLIENT_SECRETS":          {Status: http.StatusConflict, Message: "error.two_secrets"},
}
