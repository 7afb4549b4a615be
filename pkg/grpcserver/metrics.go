package grpcserver

import (
	grpcprometheus "github.com/grpc-ecosystem/go-grpc-middleware/providers/prometheus"
	"github.com/prometheus/client_golang/prometheus"
)

// metrics count the calls of all servers of the process: grpc_server_started_total
// and grpc_server_handled_total, by service and method, the latter by code too.
var metrics = newMetrics()

func newMetrics() *grpcprometheus.ServerMetrics {
	m := grpcprometheus.NewServerMetrics()
	prometheus.MustRegister(m)
	return m
}
