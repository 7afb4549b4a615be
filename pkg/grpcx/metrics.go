package grpcx

import (
	"github.com/prometheus/client_golang/prometheus"
	"github.com/prometheus/client_golang/prometheus/promauto"
	"google.golang.org/grpc/status"
)

var (
	served = promauto.NewCounterVec(prometheus.CounterOpts{
		Name: "vitae_grpc_requests_total",
		Help: "Calls that this part has answered, by method and gRPC code.",
	}, []string{"method", "code"})
	underWay = promauto.NewGaugeVec(prometheus.GaugeOpts{
		Name: "vitae_grpc_requests_under_way",
		Help: "Calls that this part is working on, by method.",
	}, []string{"method"})
)

// begun counts a call; what it gives takes the status that is answered.
func begun(method string) (ended func(error)) {
	working := underWay.WithLabelValues(method)
	working.Inc()
	return func(answer error) {
		working.Dec()
		served.WithLabelValues(method, status.Code(answer).String()).Inc()
	}
}
