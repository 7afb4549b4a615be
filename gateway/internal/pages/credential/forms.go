// Package credential provides what forms with a password or a passkey share. Such forms sign people
// in, create accounts and change an account's credentials.
package credential

import (
	"embed"
	"net/http"
	"unicode/utf8"

	"google.golang.org/grpc"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/gateway/internal/web"
	"vitae.internal/pkg/clock"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/relyingparty"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// Files contains the templates and scripts.
//
//go:embed templates static
var Files embed.FS

// Error codes of the auth service.
const (
	// CodeFailed means that the password was wrong at sign-in.
	CodeFailed = "SIGN_IN_FAILED"
	// CodeBusy means that too many passwords are waiting to be checked.
	CodeBusy = "SIGN_IN_BUSY"
	// codeWrong means that the current password was wrong.
	codeWrong = "WRONG_PASSWORD"
)

// Forms extends the Shell with what forms with a password or a passkey need.
type Forms struct {
	*shell.Shell
	Passkeys authv1.PasskeyServiceClient
	// ClientIP returns the client's IP address. The auth service uses it to rate-limit password
	// guesses.
	ClientIP func(*http.Request) string
	Clock    clock.Clock
	// Party is the WebAuthn relying party.
	Party relyingparty.Party
}

// New returns the Forms of the pages at appURL.
func New(sh *shell.Shell, auth grpc.ClientConnInterface, clientIP func(*http.Request) string, c clock.Clock, appURL string) Forms {
	party, _ := relyingparty.Of(appURL) // passkeys are disabled if there is no relying party
	return Forms{sh, authv1.NewPasskeyServiceClient(auth), clientIP, c, party}
}

// MaxPassword is the maximum length of a password in bytes (auth/v1 SignInRequest).
const MaxPassword = 1024

// minPassword is the minimum number of characters in a new password
// (behaviour: sign-in#password-rules).
const minPassword = 10

// Refusal converts an error from the auth service to the status and the validation errors with
// which the form is shown again. fields are the fields that the auth service may reject. It returns
// any other error unchanged.
func (f Forms) Refusal(w http.ResponseWriter, r *http.Request, err error, fields map[string]shell.FieldFault) (int, []web.Fault, error) {
	e, _ := errs.As(err)
	first := "password"
	if fields == nil {
		first = "email"
	}
	switch {
	case errs.HasCode(err, shell.CodeSlowed):
		fault, err := f.Waits(w, r, first, "entry.error.slowed", e.RetryAfter)
		return http.StatusTooManyRequests, []web.Fault{fault}, err
	case errs.HasCode(err, CodeBusy):
		fault, err := f.Waits(w, r, first, "entry.error.busy", e.RetryAfter)
		return http.StatusServiceUnavailable, []web.Fault{fault}, err
	case errs.KindOf(err) == errs.Invalid || errs.HasCode(err, codeWrong):
		if known, ok := fields[e.Field()]; ok {
			faults, err := f.Faults(r, known)
			return http.StatusUnprocessableEntity, faults, err
		}
	}
	return 0, nil, err
}

// NewPasswordFault returns the message key for a new password of invalid length, or "" if the auth
// service is to decide.
func NewPasswordFault(password string) string {
	switch {
	case utf8.RuneCountInString(password) < minPassword:
		return "password.error.short"
	case len(password) > MaxPassword:
		return "password.error.long"
	}
	return ""
}

// SignedOut removes the ended session's data from the browser and redirects to the sign-in page.
func (f Forms) SignedOut(w http.ResponseWriter, notice, back string) error {
	f.EndSession(w)
	f.EndWaiting(w)
	return f.GoTo(w, shell.SignInTo(back), notice, "")
}
