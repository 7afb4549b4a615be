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
	// deviceCookie is the cookie by which an account knows the browser. It outlives
	// sign-out: a person who signs in again is not slowed by the guesses of others
	// (behaviour: sign-in#known-browsers).
	deviceCookie = "device"
	// strangerLife is how long a browser keeps the cookie in which nobody has signed in
	// yet. It shows for how long the browser has been waiting.
	strangerLife = 24 * time.Hour
)

// Device is what a browser's device cookie says; empty without one.
type Device struct {
	// Token identifies the browser to auth, "" for an unknown one.
	Token string
	// since is when the browser last had to wait, or got the token; until is when the cookie
	// ends.
	since, until time.Time
}

func (d Device) Since() *timestamppb.Timestamp {
	if d.Token == "" {
		return nil
	}
	return timestamppb.New(d.since)
}

// Device reads the cookie.
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

// NoteFailure sets the cookie of a browser that has none, and notes when a wait begins, so that a browser
// that tries too early starts again (behaviour: sign-in#limit-on-guesses-per-account). begun is when the
// attempt began: the wait runs from that time or later, so a browser that waits it out need not wait
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

// KeepDevice keeps the token by which the account knows the browser from now on.
func (f Forms) KeepDevice(w http.ResponseWriter, resp *authv1.SignInResponse) {
	f.setDevice(w, Device{Token: resp.GetDeviceToken(), since: f.Clock.Now(), until: resp.GetDeviceExpiresAt().AsTime()})
}
