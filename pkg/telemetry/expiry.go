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

// expiry describes the metric of certificate expiry. The fingerprint is the first 8 bytes of the
// certificate's SHA-256, which distinguishes authorities with the same name.
var expiry = prometheus.NewDesc("vitae_certificate_expiry_timestamp_seconds",
	`Unix time at which a certificate in use expires: the process's own (kind="own") or that of a trusted authority (kind="authority").`,
	[]string{"kind", "name", "fingerprint"}, nil)

// exposed collects the identities of this process.
var exposed = func() *expiries {
	e := &expiries{}
	prometheus.MustRegister(e)
	return e
}()

// ExposeExpiry exports when the certificate and the authorities of the identity expire, for the
// rest of the process's life. Each scrape reads the files again, as a new connection does, so the
// metric shows what the next connection would use.
func ExposeExpiry(identity *mtls.Identity) {
	exposed.mu.Lock()
	defer exposed.mu.Unlock()
	exposed.of = append(exposed.of, identity)
}

// expiries is one collector for all identities of a process: those of a local stack trust the same
// authorities, and a metric must not be exported twice.
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
