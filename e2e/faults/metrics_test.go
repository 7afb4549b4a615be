package faults_test

import (
	"bufio"
	"context"
	"fmt"
	"net/http"
	"strconv"
	"strings"
)

// metric returns the sum of a metric's series that have all the labels, each written as `name="value"`.
func (s *system) metric(ctx context.Context, process, name string, labels ...string) (float64, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.processes[process].opsURL+"/metrics", nil)
	if err != nil {
		return 0, err
	}
	res, err := http.DefaultClient.Do(req)
	if err != nil {
		return 0, err
	}
	defer res.Body.Close()
	sum, lines := 0.0, bufio.NewScanner(res.Body)
	for lines.Scan() {
		series, value, ok := strings.Cut(lines.Text(), "} ")
		if !ok {
			series, value, ok = strings.Cut(lines.Text(), " ")
		}
		if base, _, _ := strings.Cut(series, "{"); !ok || base != name || !hasAll(series, labels) {
			continue
		}
		n, err := strconv.ParseFloat(value, 64)
		if err != nil {
			return 0, fmt.Errorf("%s: %w", series, err)
		}
		sum += n
	}
	return sum, lines.Err()
}

// methodLabels returns the labels of gRPC metrics for a full method name.
func methodLabels(fullMethod string) []string {
	service, method, _ := strings.Cut(strings.TrimPrefix(fullMethod, "/"), "/")
	return []string{fmt.Sprintf("grpc_service=%q", service), fmt.Sprintf("grpc_method=%q", method)}
}

func hasAll(series string, labels []string) bool {
	for _, l := range labels {
		if !strings.Contains(series, l) {
			return false
		}
	}
	return true
}
