package oauth

import (
	"net/http"
	"strings"

	"vitae.internal/gateway/internal/answer"
	"vitae.internal/gateway/internal/authorization"
)

// flatFailure is the body of an error response as in RFC 6749 §5.2.
type flatFailure struct {
	Error       string `json:"error"`
	Description string `json:"error_description"`
}

// Flat writes errors in the flat format of the token and introspection endpoints. The statuses are the same as
// in the envelope (behaviour: errors#flat-errors).
func Flat(e answer.Errors) answer.ErrorWriter {
	return func(w http.ResponseWriter, r *http.Request, err error) {
		f := answer.FailureOf(err)
		f.Message = authorization.Describe(f.Message)
		e.Begin(w, r, f, err)
		noStore(w)
		answer.WriteJSON(w, f.Status, flatFailure{Error: FlatCode(f), Description: f.Message})
	}
}

// FlatCode returns the RFC 6749 error code for a failure (behaviour: errors#flat-errors).
func FlatCode(f answer.Failure) string {
	switch {
	case f.Code == answer.CodeAccountSuspended:
		return "access_denied"
	case f.Code == answer.CodePlatformDisabled, f.Status == http.StatusServiceUnavailable, f.Status == http.StatusTooManyRequests:
		return "temporarily_unavailable"
	case f.Status == http.StatusInternalServerError:
		return "server_error"
	}
	if code, ok := strings.CutPrefix(f.Code, "OAUTH_"); ok {
		return strings.ToLower(code)
	}
	return "invalid_request"
}
