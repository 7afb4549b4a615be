package legacy

import (
	"net/http"

	"vitae.internal/gateway/internal/admission/credentials"
	"vitae.internal/gateway/internal/answer"
	"vitae.internal/pkg/errs"
)

// Codes of this interface (spec: Older interface errors).
const (
	codeRequest     = "INVALID_REQUEST"
	codeClient      = "INVALID_CLIENT"
	codeRedirectURI = "INVALID_REDIRECT_URI"
	codeCode        = "INVALID_CODE"
	codeToken       = "UNAUTHORIZED"
	codeExpired     = "TOKEN_EXPIRED"
	codeDenied      = "ACCESS_DENIED"
)

// told is what this interface says of a code of the parts behind it.
type told struct {
	status int
	code   string
}

// table has every code that is another one here. What is not in it goes out as at
// the newer interfaces: RATE_LIMIT_EXCEEDED, NOT_FOUND, METHOD_NOT_ALLOWED,
// PAYLOAD_TOO_LARGE, DEVELOPER_PLATFORM_DISABLED and the faults of ours.
var table = map[string]told{
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

// failures answers with errors in the envelope of this interface.
type failures struct{ answer.Errors }

func (f failures) write(w http.ResponseWriter, r *http.Request, err error) {
	failure := failureOf(err)
	if failure.Code == codeClient {
		// Basic, which RFC 6749 would have here, is none of this interface's ways.
		w.Header().Set("WWW-Authenticate", "Bearer "+answer.Realm)
	}
	f.BeginAs(w, r, failure, err)
	answer.WriteJSON(w, failure.Status, envelope{Message: failure.Message, Code: failure.Code})
}

// failureOf says what the outside sees of err.
func failureOf(err error) answer.Failure {
	f := answer.FailureOf(err)
	e, ok := errs.As(err)
	if !ok {
		return f
	}
	known, ok := table[e.Code]
	switch {
	case ok && f.Status >= http.StatusInternalServerError: // a code of ours among ourselves
		return answer.Failure{Status: known.status, Code: known.code, Message: e.Message}
	case ok:
		f.Status, f.Code = known.status, known.code
	case f.Code == answer.CodeInvalid: // a rule of a contract
		f.Code = codeRequest
	}
	return f
}
