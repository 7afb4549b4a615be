package session

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/ceiling"
	"vitae.internal/services/auth/internal/password"
	"vitae.internal/services/auth/internal/throttle"
)

const (
	// DeviceFailures is how many wrong passwords in a row cost a browser its privilege,
	// whoever typed them: the owner, somebody at a shared computer, or a thief of the
	// cookie.
	DeviceFailures = 10
	// devicesKept bounds the browsers that an account knows, since a program that signs in
	// without cookies is a new browser every time.
	devicesKept = 50
)

// admission is an attempt whose password may be checked. It is counted as a failure
// until forgive or takeBack says otherwise.
type admission struct {
	emailKey string
	// known says that the account knows the browser with this device.
	known  bool
	device credential.Digest
	// slowed and under are how a browser that is not known was let in.
	slowed throttle.Attempt
	under  ceiling.Admission
	share  password.Share
}

// admit decides whether the password of an attempt may be checked. It does the same,
// whether or not there is an account. Errors: ErrSlowed.
func (s *Service) admit(ctx context.Context, emailKey string, in SignIn) (admission, error) {
	a := admission{emailKey: emailKey, device: credential.Hash(in.Device)}
	var err error
	if in.Device != "" && fault.IsStorable(emailKey) {
		if a.known, err = s.cfg.Store.CountDeviceAttempt(ctx, a.device, emailKey, s.cfg.Clock.Now(), DeviceFailures); err != nil {
			return a, err
		}
	}
	if a.known {
		a.share = password.Share{Class: password.Known, Key: emailKey}
		return a, nil
	}
	a.share = password.Share{Class: password.Strangers, Key: throttle.Network(in.ClientIP)}
	a.slowed = throttle.NewAttempt(emailKey, in.ClientIP)
	if wait := s.cfg.Throttle.Admit(ctx, a.slowed); wait > 0 {
		a.counted(outcomeAddress)
		return a, ErrSlowed.WithRetryAfter(wait)
	}
	var wait time.Duration
	a.under, wait, err = s.cfg.Ceiling.Admit(ctx, ceiling.Attempt{EmailKey: emailKey, Device: in.Device, Since: in.DeviceSince})
	if err == nil && wait == 0 {
		return a, nil
	}
	s.cfg.Throttle.TakeBack(ctx, a.slowed)
	if err == nil {
		a.counted(outcomeCeiling)
		err = ErrSlowed.WithRetryAfter(wait)
	}
	return a, err
}

// forgive takes back an attempt whose password was right. Of a known browser, remember
// does.
func (s *Service) forgive(ctx context.Context, a admission) {
	if !a.known {
		s.cfg.Throttle.Forgive(ctx, a.slowed)
		s.cfg.Ceiling.Forgive(ctx, a.under)
	}
}

// takeBack takes back an attempt whose password was not checked after all. If that fails,
// it stays counted, which is the safe side.
func (s *Service) takeBack(ctx context.Context, a admission) {
	if !a.known {
		s.cfg.Throttle.TakeBack(ctx, a.slowed)
		s.cfg.Ceiling.TakeBack(ctx, a.under)
		return
	}
	if err := s.cfg.Store.UncountDeviceAttempt(ctx, a.device, a.emailKey); err != nil {
		s.cfg.Log.WarnContext(ctx, "a sign-in attempt stays counted", "error", err)
	}
}

// remember makes the browser known to the account and gives its token. fresh is true for a
// browser that the account did not know. A token that the
// account does not know is replaced, so that nobody gains by planting one. One that has
// replaced a token of the account stays (behaviour: sign-in#browsers-of-several-people).
func (s *Service) remember(ctx context.Context, personID string, a admission, token string, now, expiresAt time.Time) (kept string, fresh bool, err error) {
	if a.known {
		return token, false, s.cfg.Store.RenewDevice(ctx, a.device, personID, now, expiresAt)
	}
	if token != "" {
		confirmed, err := s.cfg.Store.ConfirmDevice(ctx, a.device, personID, now, expiresAt)
		if err != nil || confirmed {
			return token, false, err
		}
	}
	kept = newSecret()
	return kept, true, s.cfg.Store.AddDevice(ctx, credential.Hash(kept), a.device, personID, now, expiresAt, devicesKept)
}
