package session

import (
	"context"
	"time"

	"vitae.internal/pkg/credential"
	"vitae.internal/pkg/fault"
	"vitae.internal/services/auth/internal/people/guesses/ceiling"
	"vitae.internal/services/auth/internal/people/guesses/throttle"
	"vitae.internal/services/auth/internal/people/password"
)

const (
	// DeviceFailures is the number of consecutive wrong passwords after which the account no longer knows a browser.
	// It doesn't matter who typed them: the owner, another user of the browser, or someone who stole the cookie.
	DeviceFailures = 10
	// devicesKept is the maximum number of browsers that an account knows. A program that signs in without cookies
	// counts as a new browser every time.
	devicesKept = 50
)

// admission is an attempt whose password may be checked. It counts as a failure unless forgive or
// takeBack is called.
type admission struct {
	emailKey string
	// known reports whether the account knows the browser.
	known  bool
	device credential.Digest
	// attempt and ceiling are set for an unknown browser.
	attempt throttle.Attempt
	ceiling ceiling.Admission
	share   password.Share
}

// admit decides whether an attempt's password may be checked. It treats an email address without an account in the
// same way. Errors: ErrSlowed.
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
	a.attempt = throttle.NewAttempt(emailKey, in.ClientIP)
	if wait := s.cfg.Throttle.Admit(ctx, a.attempt); wait > 0 {
		a.counted(outcomeAddress)
		return a, ErrSlowed.WithRetryAfter(wait)
	}
	var wait time.Duration
	a.ceiling, wait, err = s.cfg.Ceiling.Admit(ctx, ceiling.Attempt{EmailKey: emailKey, Device: in.Device, Since: in.DeviceSince})
	if err == nil && wait == 0 {
		return a, nil
	}
	s.cfg.Throttle.TakeBack(ctx, a.attempt)
	if err == nil {
		a.counted(outcomeCeiling)
		err = ErrSlowed.WithRetryAfter(wait)
	}
	return a, err
}

// forgive reverses the counting of an attempt whose password was right. For a known browser, remember does this.
func (s *Service) forgive(ctx context.Context, a admission) {
	if !a.known {
		s.cfg.Throttle.Forgive(ctx, a.attempt)
		s.cfg.Ceiling.Forgive(ctx, a.ceiling)
	}
}

// takeBack reverses the counting of an attempt whose password was not checked. If that fails, the attempt stays
// counted, which is safe.
func (s *Service) takeBack(ctx context.Context, a admission) {
	if !a.known {
		s.cfg.Throttle.TakeBack(ctx, a.attempt)
		s.cfg.Ceiling.TakeBack(ctx, a.ceiling)
		return
	}
	if err := s.cfg.Store.UncountDeviceAttempt(ctx, a.device, a.emailKey); err != nil {
		s.cfg.Log.WarnContext(ctx, "a sign-in attempt was not removed from the count", "error", err)
	}
}

// remember makes the browser known to the account and returns the browser's token. fresh is true if the account
// didn't know the browser. A token that the account doesn't know is replaced, so planting a token in someone's
// browser is useless. A token that has replaced one of the account's tokens is kept
// (behaviour: sign-in#shared-browsers).
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
