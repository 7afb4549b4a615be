package credential

import (
	"crypto/rand"
	"fmt"
	"net/http"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/gateway/internal/pages/shell"
	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// deviceCookie identifies the browser to accounts. It outlives sign-out, so other people's
	// password guesses do not slow down a person who signs in again
	// (behaviour: sign-in#known-browsers).
	deviceCookie = "device"
	// strangerLife is the lifetime of the cookie in a browser in which nobody has signed in yet.
	// The cookie records when the browser started to wait.
	strangerLife = 24 * time.Hour
)

// Device is the content of a browser's device cookie. It is empty if there is no cookie.
type Device struct {
	// Token identifies the browser to the auth service. It is "" if the browser is unknown.
	Token string
	// since is when the browser last had to wait or received the token. until is when the cookie
	// expires.
	since, until time.Time
}

func (d Device) Since() *timestamppb.Timestamp {
	if d.Token == "" {
		return nil
	}
	return timestamppb.New(d.since)
}

// Device reads the device cookie.
func (f Forms) Device(r *http.Request) Device {
	value, ok := f.Sealed(r, deviceCookie)
	var token string
	var since, until int64
	if n, err := fmt.Sscanf(value, "%s %d %d", &token, &since, &until); !ok || err != nil || n != 3 {
		return Device{}
	}
	return Device{Token: token, since: time.Unix(since, 0).UTC(), until: time.Unix(until, 0).UTC()}
}

func (f Forms) setDevice(w http.ResponseWriter, d Device) {
	f.SetSealed(w, deviceCookie, fmt.Sprintf("%s %d %d", d.Token, d.since.Unix(), d.until.Unix()), d.until.Sub(f.Clock.Now()))
}

// NoteFailure sets the device cookie in a browser that has none, and records when a wait begins, so
// a browser that retries too early must wait again
// (behaviour: sign-in#limit-on-guesses-per-account). begun is when the attempt began. The wait is
// never recorded as starting earlier, so a browser that has waited long enough need not wait
// another second.
func (f Forms) NoteFailure(w http.ResponseWriter, known Device, begun time.Time, err error) {
	switch {
	case known.Token == "":
		f.setDevice(w, Device{Token: rand.Text() + rand.Text(), since: begun, until: begun.Add(strangerLife)})
	case errs.HasCode(err, shell.CodeSlowed):
		known.since = begun
		f.setDevice(w, known)
	}
}

// KeepDevice stores the token that identifies the browser to the account in the device cookie.
func (f Forms) KeepDevice(w http.ResponseWriter, resp *authv1.SignInResponse) {
	f.setDevice(w, Device{Token: resp.GetDeviceToken(), since: f.Clock.Now(), until: resp.GetDeviceExpiresAt().AsTime()})
}
