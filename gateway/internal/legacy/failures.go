package legacy

import (
	"net/http"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

// These are the error codes of the legacy interface (behaviour: legacy#legacy-codes).
const (
	codeRequest     = "INVALID_REQUEST"
	codeClient      = "INVALID_CLIENT"
	codeRedirectURI = "INVALID_REDIRECT_URI"
	codeCode        = "INVALID_CODE"
	codeToken       = "UNAUTHORIZED"
	codeExpired     = "TOKEN_EXPIRED"
	codeDenied      = "ACCESS_DENIED"
)

type failure struct {
	status int
	code   string
}

// failureOfCode maps the services' error codes to the codes of the legacy interface. Codes that are not in the
// map stay the same as in the REST API: RATE_LIMIT_EXCEEDED, NOT_FOUND, METHOD_NOT_ALLOWED, PAYLOAD_TOO_LARGE,
// DEVELOPER_PLATFORM_DISABLED, INTERNAL_ERROR and SERVICE_UNAVAILABLE.
var failureOfCode = map[string]failure{
	answer.CodeOAuthRequest:     {http.StatusBadRequest, codeRequest},
	answer.CodeInvalid:          {http.StatusBadRequest, codeRequest},
	answer.CodeUnsupportedType:  {http.StatusBadRequest, codeRequest},
	answer.CodeOAuthClient:      {http.StatusUnauthorized, codeClient},
	codeRedirectURI:             {http.StatusBadRequest, codeRedirectURI},
	"OAUTH_INVALID_GRANT":       {http.StatusBadRequest, codeCode},
	credentials.CodeUnknown:     {http.StatusUnauthorized, codeToken},
	credentials.CodeExpired:     {http.StatusUnauthorized, codeExpired},
	answer.CodeAccountSuspended: {http.StatusForbidden, codeDenied},
	answer.CodeOAuthScope:       {http.StatusForbidden, codeDenied},
	"PROFILE_NOT_FOUND":         {http.StatusNotFound, answer.CodeNotFound},
}

// failures writes errors in the envelope of the legacy interface.
type failures struct{ answer.Errors }

func (f failures) write(w http.ResponseWriter, r *http.Request, err error) {
	failure := failureOf(err)
	if failure.Code == codeClient {
		// RFC 6749 requires a Basic challenge here, but the legacy interface does not support Basic.
		w.Header().Set("WWW-Authenticate", "Bearer "+answer.Realm)
	}
	f.Begin(w, r, failure, err)
	answer.WriteJSON(w, failure.Status, envelope{Message: failure.Message, Code: failure.Code})
}

func failureOf(err error) answer.Failure {
	f := answer.FailureOf(err)
	e, ok := errs.As(err)
	if !ok {
		return f
	}
	known, ok := failureOfCode[e.Code]
	switch {
	case ok && f.Status >= http.StatusInternalServerError: // the code is internal in the REST API, but public here
		return answer.Failure{Status: known.status, Code: known.code, Message: e.Message}
	case ok:
		f.Status, f.Code = known.status, known.code
	case f.Code == answer.CodeInvalid: // rejected by a gRPC method's validation rules
		f.Code = codeRequest
	}
	return f
}

// envelope is the JSON body of all responses (behaviour: legacy#legacy-envelope).
type envelope struct {
	Success bool   `json:"success"`
	Data    any    `json:"data,omitempty"`
	Message string `json:"message,omitempty"`
	Code    string `json:"code,omitempty"`
}

func succeed(w http.ResponseWriter, data any) {
	answer.WriteJSON(w, http.StatusOK, envelope{Success: true, Data: data})
}
