// Package credential is what forms with a password or a passkey share: the sign-in, the creation of
// accounts, and the account's own.
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

// Files has the templates and scripts.
//
//go:embed templates static
var Files embed.FS

// Codes of auth.
const (
	// CodeFailed is for a wrong password at sign-in.
	CodeFailed = "SIGN_IN_FAILED"
	// CodeBusy is for too many passwords that wait to be checked.
	CodeBusy = "SIGN_IN_BUSY"
	// codeWrong is for a wrong current password.
	codeWrong = "WRONG_PASSWORD"
)

// Forms is the shell with what forms with a password or a passkey need.
type Forms struct {
	*shell.Shell
	Passkeys authv1.PasskeyServiceClient
	// ClientIP returns the address of the client, by which auth limits guesses.
	ClientIP func(*http.Request) string
	Clock    clock.Clock
	// Party is for which name passkeys are made.
	Party relyingparty.Party
}

// New returns the Forms of the pages at an address.
func New(sh *shell.Shell, auth grpc.ClientConnInterface, clientIP func(*http.Request) string, c clock.Clock, appURL string) Forms {
	party, _ := relyingparty.Of(appURL) // without a name there are no passkeys
	return Forms{sh, authv1.NewPasskeyServiceClient(auth), clientIP, c, party}
}

// MaxPassword is the longest password that auth takes, in bytes (auth/v1 SignInRequest).
const MaxPassword = 1024

// minPassword is the fewest characters of a new password
// (behaviour: sign-in#password-rules).
const minPassword = 10

// Refusal turns an error of auth into the status and the faults with which the form is shown
// again. fields are the fields that auth may refuse. Another error stays one.
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

// NewPasswordFault is the key of the message about a password that cannot be set, "" if auth
// decides.
func NewPasswordFault(password string) string {
	switch {
	case utf8.RuneCountInString(password) < minPassword:
		return "password.error.short"
	case len(password) > MaxPassword:
		return "password.error.long"
	}
	return ""
}

// SignedOut removes from the browser what belongs to the session, which has ended, and leads to the
// sign-in page.
func (f Forms) SignedOut(w http.ResponseWriter, notice, back string) error {
	f.EndSession(w)
	f.EndWaiting(w)
	return f.GoTo(w, shell.SignInTo(back), notice, "")
}
