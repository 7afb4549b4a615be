package telemetry

import (
	"crypto/sha256"
	"crypto/x509"
	"encoding/hex"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"

	"vitae.internal/pkg/mtls"
)

// expiry describes the metric for certificate expiry. The fingerprint consists of the first 8 bytes
// of the certificate's SHA-256 hash, and distinguishes certificate authorities with the same name.
var expiry = prometheus.NewDesc("vitae_certificate_expiry_timestamp_seconds",
	`Unix time at which a certificate in use expires: the process's own (kind="own") or the certificate of a trusted authority (kind="authority").`,
	[]string{"kind", "name", "fingerprint"}, nil)

// exposed collects the metrics of this process's identities.
var exposed = func() *expiries {
	e := &expiries{}
	prometheus.MustRegister(e)
	return e
}()

// ExposeExpiry exports the expiry times of the identity's certificate and authorities until the
// process exits. Each scrape rereads the files as a new connection does, so the metric describes
// the certificates that the next connection would use.
func ExposeExpiry(identity *mtls.Identity) {
	exposed.mu.Lock()
	defer exposed.mu.Unlock()
	exposed.of = append(exposed.of, identity)
}

// expiries is one collector for all identities of a process. It must not export a series twice,
// although the identities of a local stack trust the same authorities.
type expiries struct {
	mu sync.Mutex
	of []*mtls.Identity
}

func (e *expiries) Describe(to chan<- *prometheus.Desc) { to <- expiry }

func (e *expiries) Collect(to chan<- prometheus.Metric) {
	e.mu.Lock()
	identities := slices.Clone(e.of)
	e.mu.Unlock()
	seen := map[[3]string]bool{}
	send := func(kind, name string, c *x509.Certificate) {
		sum := sha256.Sum256(c.Raw)
		labels := [3]string{kind, name, hex.EncodeToString(sum[:8])}
		if !seen[labels] {
			seen[labels] = true
			to <- prometheus.MustNewConstMetric(expiry, prometheus.GaugeValue, float64(c.NotAfter.Unix()), labels[:]...)
		}
	}
	for _, i := range identities {
		own, authorities := i.Certificates()
		send("own", mtls.CallerName(own), own)
		for _, authority := range authorities {
			send("authority", authority.Subject.CommonName, authority)
		}
	}
}
