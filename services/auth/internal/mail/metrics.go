package mail

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// The outcomes of an attempt to send an email.
const (
	outcomeSent     = "sent"
	outcomeDeferred = "deferred"
	outcomeUnusable = "unusable"
	outcomeRefused  = "refused"
	outcomeExpired  = "expired"
)

var attempts = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_mail_attempts_total",
	Help: "Attempts to send an email, by outcome: sent, deferred (not accepted yet), unusable (no mail server), refused and expired (no longer sent).",
}, []string{"outcome"})

func init() { // report zero before the first attempt
	for _, outcome := range []string{outcomeSent, outcomeDeferred, outcomeUnusable, outcomeRefused, outcomeExpired} {
		attempts.WithLabelValues(outcome)
	}
}
