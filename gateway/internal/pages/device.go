package pages

import (
	"crypto/rand"
	"net/http"
	"strconv"
	"strings"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// deviceCookie is the cookie by which an account knows the browser. It outlives
	// sign-out: whoever signs in again is not slowed by the guesses of others
	// (behaviour: sign-in#known-browsers).
	deviceCookie = "device"
	// strangerLife is how long a browser keeps the cookie in which nobody has signed in
	// yet. It tells for how long the browser has been trying.
	strangerLife = 24 * time.Hour
)

// heldDevice is what a browser's device cookie says; empty without one.
type heldDevice struct {
	token string
	since time.Time
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
	token, since, whole := strings.Cut(value, " ")
	seconds, err := strconv.ParseInt(since, 10, 64)
	if !ok || !whole || err != nil {
		return heldDevice{}
	}
	return heldDevice{token: token, since: time.Unix(seconds, 0).UTC()}
}

func (s signIn) setDevice(w http.ResponseWriter, d heldDevice, life time.Duration) {
	s.site.SetSealed(w, deviceCookie, d.token+" "+strconv.FormatInt(d.since.Unix(), 10), life)
}

// giveDevice gives a cookie to a browser that has none, after an attempt that failed. The
// wait that auth has told runs from the time at which the attempt began or later, so a
// browser that has waited it out is not told another second.
func (s signIn) giveDevice(w http.ResponseWriter, known heldDevice, begun time.Time) {
	if known.token == "" {
		s.setDevice(w, heldDevice{token: rand.Text() + rand.Text(), since: begun}, strangerLife)
	}
}

// keepDevice keeps the token by which the account knows the browser from now on.
func (s signIn) keepDevice(w http.ResponseWriter, known heldDevice, resp *authv1.SignInResponse) {
	token := resp.GetDeviceToken()
	if token == "" {
		return // of a replica of auth from the release before
	}
	since := s.clock.Now()
	if token == known.token {
		since = known.since
	}
	s.setDevice(w, heldDevice{token: token, since: since}, resp.GetDeviceExpiresAt().AsTime().Sub(s.clock.Now()))
}
