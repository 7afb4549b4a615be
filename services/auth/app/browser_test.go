package app_test

import (
	"crypto/rand"
	"fmt"
	"time"

	"google.golang.org/protobuf/types/known/timestamppb"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// browser simulates a browser and its device cookie, which the gateway handles in production.
type browser struct {
	*world
	ip    string
	token string
	since time.Time
}

func (w *world) browser(ip string) *browser { return &browser{world: w, ip: ip} }

// signIn tries to sign in.
func (b *browser) signIn(email, password string) error {
	b.Helper()
	req := &authv1.SignInRequest{Email: email, Password: password, ClientIp: b.ip, DeviceToken: b.token}
	if b.token != "" {
		req.DeviceSince = timestamppb.New(b.since)
	}
	begun := b.clock.Now()
	resp, err := b.sessions.SignIn(b.Context(), req)
	switch {
	case err == nil && resp.GetDeviceToken() != b.token:
		b.token, b.since = resp.GetDeviceToken(), begun
	case err != nil && b.token == "":
		b.token, b.since = rand.Text()+rand.Text(), begun
	case errs.HasCode(err, "SIGN_IN_SLOWED"):
		b.since = begun
	}
	return err
}

// waits fails the test unless err rejects an attempt without a password check. It returns how long the caller must
// wait.
func (w *world) waits(err error) time.Duration {
	w.Helper()
	e, ok := errs.As(err)
	if !ok || e.Code != "SIGN_IN_SLOWED" || e.Kind != errs.Exhausted || e.RetryAfter <= 0 {
		w.Fatalf("no waiting time: %v", err)
	}
	return e.RetryAfter
}

// elsewhere returns the i-th of many IP addresses, all in different networks.
func elsewhere(i int) string {
	if i%2 == 0 {
		return fmt.Sprintf("2001:db8:%x:%x::1", i>>8, i&255)
	}
	return fmt.Sprintf("198.%d.%d.%d", 18+i>>16, i>>8&255, i&255)
}

// guess tries a wrong password from the i-th of many IP addresses, without a cookie. It reports
// whether the password was checked.
func (w *world) guess(email string, i int) bool {
	w.Helper()
	err := w.signIn(email, fmt.Sprint("guess number ", i), elsewhere(i)).err
	if !errs.HasCode(err, "SIGN_IN_FAILED") && !errs.HasCode(err, "SIGN_IN_SLOWED") {
		w.Fatalf("guess %d: %v", i, err)
	}
	return errs.HasCode(err, "SIGN_IN_FAILED")
}
