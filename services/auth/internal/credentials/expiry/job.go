// Package expiry counts the partner credentials that expire soon, so that operators can warn the
// partners.
//
// The metric must not have a series for each credential, because it would grow with the number of
// partners.
package expiry

import (
	"context"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"

	"vitae.internal/pkg/background"
	"vitae.internal/pkg/clock"
)

const (
	// every is the interval at which credentials are counted.
	every = 5 * time.Minute
	// soon is how long before its expiry a credential starts to be counted. A week always includes working days.
	soon = 7 * 24 * time.Hour
)

var endingSoon = promauto.NewGaugeVec(prometheus.GaugeOpts{
	Name: "vitae_credentials_ending",
	Help: "Credentials that expire within seven days: client secrets (client_secret) and API keys (api_key). Every replica reports all of them.",
}, []string{"kind"})

func init() { // exports the metric from the start
	endingSoon.WithLabelValues("client_secret")
	endingSoon.WithLabelValues("api_key")
}

// Store counts credentials.
type Store interface {
	// CountEnding counts the client secrets and API keys that expire later than after, but no later than until.
	CountEnding(ctx context.Context, after, until time.Time) (secrets, keys int64, err error)
}

// Job returns the job that counts the credentials.
func Job(store Store, clk clock.Clock) background.Job {
	return background.Job{Every: every, Warning: "cannot count the credentials that end soon; trying again in the next round", Round: func(ctx context.Context) error {
		now := clk.Now()
		secrets, keys, err := store.CountEnding(ctx, now, now.Add(soon))
		if err != nil {
			return err
		}
		endingSoon.WithLabelValues("client_secret").Set(float64(secrets))
		endingSoon.WithLabelValues("api_key").Set(float64(keys))
		return nil
	}}
}
