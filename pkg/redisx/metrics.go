package redisx

import (
	"maps"
	"slices"
	"sync"

	"github.com/prometheus/client_golang/prometheus"
	"github.com/redis/go-redis/v9"
)

var (
	clientLabels = []string{"part"}
	connections  = prometheus.NewDesc("vitae_redis_connections", "Number of connections in the pool, by state: idle or used.", []string{"part", "state"}, nil)
	acquired     = prometheus.NewDesc("vitae_redis_acquired_total", "Number of connections acquired from the pool, by whether one was idle (reused) or had to be created (made).", []string{"part", "how"}, nil)
	acquireWait  = prometheus.NewDesc("vitae_redis_acquire_wait_seconds_total", "Total time that callers waited for a connection because all were in use.", clientLabels, nil)
	acquireLate  = prometheus.NewDesc("vitae_redis_acquired_late_total", "Number of connections for which a caller had to wait because all were in use.", clientLabels, nil)
	givenUp      = prometheus.NewDesc("vitae_redis_acquire_given_up_total", "Number of callers that gave up waiting for a connection.", clientLabels, nil)
)

// clients collects the metrics of the process's clients, by service.
var clients = func() *clientCollector {
	c := &clientCollector{of: map[string]redis.UniversalClient{}}
	prometheus.MustRegister(c)
	return c
}()

type clientCollector struct {
	mu sync.Mutex
	of map[string]redis.UniversalClient
}

// Expose adds the pool of a service's client to /metrics. If a service has several clients, as in
// tests, only the last one is included.
func Expose(part string, client redis.UniversalClient) {
	clients.mu.Lock()
	defer clients.mu.Unlock()
	clients.of[part] = client
}

func (c *clientCollector) Describe(to chan<- *prometheus.Desc) {
	for _, d := range []*prometheus.Desc{connections, acquired, acquireWait, acquireLate, givenUp} {
		to <- d
	}
}

func (c *clientCollector) Collect(to chan<- prometheus.Metric) {
	c.mu.Lock()
	of := maps.Clone(c.of)
	c.mu.Unlock()
	for _, part := range slices.Sorted(maps.Keys(of)) {
		s := of[part].PoolStats()
		gauge, counter := prometheus.GaugeValue, prometheus.CounterValue
		tell := func(d *prometheus.Desc, kind prometheus.ValueType, value float64, more ...string) {
			to <- prometheus.MustNewConstMetric(d, kind, value, append([]string{part}, more...)...)
		}
		tell(connections, gauge, float64(s.IdleConns), "idle")
		tell(connections, gauge, float64(s.TotalConns-min(s.IdleConns, s.TotalConns)), "used")
		tell(acquired, counter, float64(s.Hits), "reused")
		tell(acquired, counter, float64(s.Misses), "made")
		tell(acquireWait, counter, float64(s.WaitDurationNs)/1e9)
		tell(acquireLate, counter, float64(s.WaitCount))
		tell(givenUp, counter, float64(s.Timeouts))
	}
}
