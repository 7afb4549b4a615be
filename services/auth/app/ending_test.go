package app_test

import (
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus"
	"google.golang.org/protobuf/types/known/timestamppb"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// endingSoon returns the metric that counts the credentials of a kind that expire soon.
func endingSoon(t *testing.T, kind string) float64 {
	t.Helper()
	families, err := prometheus.DefaultGatherer.Gather()
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range families {
		for _, m := range f.GetMetric() {
			if f.GetName() == "vitae_credentials_ending" && m.GetLabel()[0].GetValue() == kind {
				return m.GetGauge().GetValue()
			}
		}
	}
	return -1
}

// Not parallel: the metrics are global.
func TestEndingCredentialsAreCounted(t *testing.T) {
	w := newWorld(t)
	for _, overlap := range []time.Duration{0, day, 7 * day, 7*day + time.Second, 30 * day} {
		w.rotated(w.confidential(), overlap)
	}
	c := w.confidential()
	key := func(life time.Duration) string {
		t.Helper()
		resp, err := w.developers.CreateApiKey(t.Context(), &authv1.CreateApiKeyRequest{
			AppId: c.app.GetId(), Scopes: []string{"jobs:read"}, ExpiresAt: timestamppb.New(w.clock.Now().Add(life)),
		})
		w.must(err)
		return resp.GetApiKey().GetId()
	}
	for _, life := range []time.Duration{time.Second, day, 7 * day, 8 * day} {
		key(life)
	}
	_, err := w.developers.DeleteApiKey(t.Context(), &authv1.DeleteApiKeyRequest{Id: key(day)})
	w.must(err)
	w.clock.Advance(time.Second) // the first key has expired
	w.replica()                  // counts on startup
	eventually(t, "credentials are counted", func() bool {
		return endingSoon(t, "client_secret") == 3 && endingSoon(t, "api_key") == 2
	})
}
