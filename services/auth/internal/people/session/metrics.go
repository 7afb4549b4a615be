package session

import (
	"errors"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/services/auth/internal/people/password"
)

// The values of the outcome label.
const (
	outcomeSignedIn = "signed_in"
	outcomeWrong    = "wrong"
	outcomeAddress  = "address"
	outcomeCeiling  = "ceiling"
	outcomeBusy     = "busy"
	outcomeFailed   = "failed"
)

var attempts = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_sign_in_attempts_total",
	Help: "Attempts to sign in, by outcome (signed_in, wrong, address, ceiling, busy, failed) and by whether the account knows the browser.",
}, []string{"outcome", "known"})

func init() { // exports all series from the start
	for _, outcome := range []string{outcomeSignedIn, outcomeWrong, outcomeAddress, outcomeCeiling, outcomeBusy, outcomeFailed} {
		attempts.WithLabelValues(outcome, "yes")
		attempts.WithLabelValues(outcome, "no")
	}
}

// count records the outcome of an attempt that was admitted.
func (a admission) count(err error) {
	outcome := outcomeFailed
	switch {
	case err == nil:
		outcome = outcomeSignedIn
	case errors.Is(err, ErrFailed):
		outcome = outcomeWrong
	case errors.Is(err, password.ErrBusy):
		outcome = outcomeBusy
	}
	a.counted(outcome)
}

func (a admission) counted(outcome string) {
	known := "no"
	if a.known {
		known = "yes"
	}
	attempts.WithLabelValues(outcome, known).Inc()
}
