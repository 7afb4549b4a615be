package pages

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
	// sign-out: whoever signs in again is not slowed by the guesses of others
	// (behaviour: sign-in#known-browsers).
	deviceCookie = "device"
	// strangerLife is how long a browser keeps the cookie in which nobody has signed in
	// yet. It tells for how long the browser has been waiting.
	strangerLife = 24 * time.Hour
)

// heldDevice is what a browser's device cookie says; empty without one.
type heldDevice struct {
	token string
	// since is when the browser was last told to wait, or was given the token; until is
	// when the cookie ends.
	since, until time.Time
}

func (d heldDevice) sinceProto() *timestamppb.Timestamp {
	if d.token == "" {
		return nil
	}
	return timestamppb.New(d.since)
}

// device reads the cookie.
func (s signIn) device(r *http.Request) heldDevice {
	value, ok := s.site.Sealed(r, deviceCookie)
	var token string
	var since, until int64
	if n, err := fmt.Sscanf(value, "%s %d %d", &token, &since, &until); !ok || err != nil || n != 3 {
		return heldDevice{}
	}
	return heldDevice{token: token, since: time.Unix(since, 0).UTC(), until: time.Unix(until, 0).UTC()}
}

func (s signIn) setDevice(w http.ResponseWriter, d heldDevice) {
	s.site.SetSealed(w, deviceCookie, fmt.Sprintf("%s %d %d", d.token, d.since.Unix(), d.until.Unix()), d.until.Sub(s.clock.Now()))
}

// noteFailure gives a cookie to a browser that has none, and notes in that of a browser
// that is told to wait that it waits from now on. So one that does not wait as long as it
// was told begins anew (behaviour: sign-in#limit-on-guesses-per-account). begun is when the
// attempt began: the wait that auth has told runs from that time or later, so who waits
// it out is not told to wait another second.
func (s signIn) noteFailure(w http.ResponseWriter, known heldDevice, begun time.Time, err error) {
	switch {
	case known.token == "":
		s.setDevice(w, heldDevice{token: rand.Text() + rand.Text(), since: begun, until: begun.Add(strangerLife)})
	case errs.HasCode(err, shell.CodeSlowed):
		known.since = begun
		s.setDevice(w, known)
	}
}

// keepDevice keeps the token by which the account knows the browser from now on.
func (s signIn) keepDevice(w http.ResponseWriter, resp *authv1.SignInResponse) {
	s.setDevice(w, heldDevice{token: resp.GetDeviceToken(), since: s.clock.Now(), until: resp.GetDeviceExpiresAt().AsTime()})
}
