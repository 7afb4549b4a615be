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

// expiry is when certificates expire. The fingerprint is the beginning of the SHA-256 of a
// certificate, which tells authorities of one name from each other.
var expiry = prometheus.NewDesc("vitae_certificate_expiry_timestamp_seconds",
	`Unix time at which a certificate in use expires: the process's own (kind="own") or an authority's that it trusts (kind="authority").`,
	[]string{"kind", "name", "fingerprint"}, nil)

// exposed are the identities of this process.
var exposed = func() *expiries {
	e := &expiries{}
	prometheus.MustRegister(e)
	return e
}()

// ExposeExpiry has /metrics tell when the certificate and the authorities of the identity
// expire, as long as the process runs. What it tells is what the next connection would
// use: the files are read again for it, as for a connection.
func ExposeExpiry(identity *mtls.Identity) {
	exposed.mu.Lock()
	defer exposed.mu.Unlock()
	exposed.of = append(exposed.of, identity)
}

// expiries is one collector for all identities of a process, since those of a local stack
// trust the same authorities, and a metric must not be told twice.
type expiries struct {
	mu sync.Mutex
	of []*mtls.Identity
}

// Describe implements prometheus.Collector.
func (e *expiries) Describe(to chan<- *prometheus.Desc) { to <- expiry }

// Collect implements prometheus.Collector.
func (e *expiries) Collect(to chan<- prometheus.Metric) {
	e.mu.Lock()
	identities := slices.Clone(e.of)
	e.mu.Unlock()
	told := map[[3]string]bool{}
	tell := func(kind, name string, c *x509.Certificate) {
		sum := sha256.Sum256(c.Raw)
		labels := [3]string{kind, name, hex.EncodeToString(sum[:8])}
		if !told[labels] {
			told[labels] = true
			to <- prometheus.MustNewConstMetric(expiry, prometheus.GaugeValue, float64(c.NotAfter.Unix()), labels[:]...)
		}
	}
	for _, i := range identities {
		own, authorities := i.Certificates()
		tell("own", mtls.CallerName(own), own)
		for _, authority := range authorities {
			tell("authority", authority.Subject.CommonName, authority)
		}
	}
}
