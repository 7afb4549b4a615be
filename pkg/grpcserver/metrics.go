package grpcserver

import (
	grpcprometheus "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
)

// metrics count the calls of all servers of the process: grpc_server_started_total
// and grpc_server_handled_total, by service and method, the latter by code too.
var metrics = newMetrics()

func newMetrics() *grpcprometheus.ServerMetrics {
	m := grpcprometheus.NewServerMetrics()
	prometheus.MustRegister(m)
	return m
}

// calls count what each caller did. The deployment's authority bounds the names.
var calls = promauto.NewCounterVec(prometheus.CounterOpts{
	Name: "vitae_grpc_calls_total",
	Help: "Calls by the caller's certificate name (a team's is internal/TEAM; empty for a certificate without one) and by code.",
}, []string{"caller", "code"})
