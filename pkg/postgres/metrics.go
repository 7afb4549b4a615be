package postgres

import (
	"maps"
	"slices"
	"sync"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/prometheus/client_golang/prometheus"
)

var (
	poolLabels  = []string{"part"}
	connections = prometheus.NewDesc("vitae_postgres_connections",
		"Number of connections in the pool, by state: idle, used or constructing.", []string{"part", "state"}, nil)
	connectionsMost = prometheus.NewDesc("vitae_postgres_connections_max", "Maximum number of connections in the pool.", poolLabels, nil)
	acquired        = prometheus.NewDesc("vitae_postgres_acquired_total", "Number of connections acquired from the pool.", poolLabels, nil)
	acquiredLate    = prometheus.NewDesc("vitae_postgres_acquired_late_total", "Number of connections for which a caller had to wait because none was idle.", poolLabels, nil)
	acquireWait     = prometheus.NewDesc("vitae_postgres_acquire_wait_seconds_total", "Total time that callers waited for connections because none was idle.", poolLabels, nil)
	acquireGivenUp  = prometheus.NewDesc("vitae_postgres_acquire_given_up_total", "Number of callers that gave up waiting for a connection.", poolLabels, nil)
)

// pools collects the metrics of the process's pools, by service.
var pools = func() *poolCollector {
	c := &poolCollector{of: map[string]*pgxpool.Pool{}}
	prometheus.MustRegister(c)
	return c
}()

type poolCollector struct {
	mu sync.Mutex
	of map[string]*pgxpool.Pool
}

// Expose adds the pool of a service to /metrics. If a service has several pools, as in tests, only the
// last one is included.
func Expose(part string, pool *pgxpool.Pool) {
	pools.mu.Lock()
	defer pools.mu.Unlock()
	pools.of[part] = pool
}

func (c *poolCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{connections, connectionsMost, acquired, acquiredLate, acquireWait, acquireGivenUp} {
		to <- d
	}
}

func (c *poolCollector) Collect(to chan<- prometheus.Metric) {
	c.mu.Lock()
	of := maps.Clone(c.of)
	c.mu.Unlock()
	for _, part := range slices.Sorted(maps.Keys(of)) {
		s := of[part].Stat()
		gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
		tell := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, more ...string) {
			to <- prometheus.MustNewConstMetric(d, kind, value, append([]string{part}, more...)...)
		}
		tell(connections, gauge, float64(s.IdleConns()), "idle")
		tell(connections, gauge, float64(s.AcquiredConns()), "used")
		tell(connections, gauge, float64(s.ConstructingConns()), "constructing")
		tell(connectionsMost, gauge, float64(s.MaxConns()))
		tell(acquired, counter, float64(s.AcquireCount()))
		tell(acquiredLate, counter, float64(s.EmptyAcquireCount()))
		tell(acquireWait, counter, s.EmptyAcquireWaitTime().Seconds())
		tell(acquireGivenUp, counter, float64(s.CanceledAcquireCount()))
	}
}
