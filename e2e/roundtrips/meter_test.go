package roundtrips_test

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"vitae.internal/e2e/internal/expect"
	"vitae.internal/e2e/internal/partner"
	"vitae.internal/e2e/internal/suite"
)

// requests is the number of requests to measure for each route. Calls that only few requests cause,
// such as refilling a session record every ten seconds, disappear in the rounding.
const requests = 30

// background lists calls that belong to no request: batches of usage and events, and health checks.
var background = []string{"UsageService/RecordRequests", "AuditService/RecordEvents", "Health/Check", "Health/Watch"}

// metrics requests only the series that target supports: fetching all would take longer than the
// measured requests.
const metrics = "/metrics?name[]=vitae_redis_acquired_total&name[]=vitae_postgres_acquired_total&name[]=grpc_client_started_total"

// endpoints returns the addresses of the operations endpoints of each service. It is computed once,
// because it checks every process of the machine.
var endpoints = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, service := range []string{"gateway", "auth", "partnercatalog", "candidate"} {
		all[service] = nil
		for _, replica := range suite.System.Services(service) {
			address, _ := replica.Env("VITAE_OPS_ADDR")
			all[service] = append(all[service], address)
		}
	}
	return all
})

// counts returns the number of calls and queries that services have sent so far, by sender and
// receiver: "gateway > Redis", "gateway > MeService/GetMe", "candidate > Postgres".
func counts(t *testing.T) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for service, addresses := range endpoints() {
		if len(addresses) == 0 {
			t.Fatalf("no process of service %s", service)
		}
		for _, address := range addresses {
			a := expect.Must(partner.Get(t.Context(), "http://"+address+metrics, ""))(t)
			for line := range strings.Lines(string(a.Body)) {
				series, value, _ := strings.Cut(strings.TrimSpace(line), "} ")
				if what := target(series); what != "" && !slices.Contains(background, what) {
					all[service+" > "+what] += expect.Must(strconv.ParseFloat(value, 64))(t)
				}
			}
		}
	}
	return all
}

// target returns the receiver that a series counts calls or queries to, or "" for other series.
func target(series string) string {
	name, labels, _ := strings.Cut(series, "{")
	switch name {
	case "vitae_redis_acquired_total":
		return "Redis"
	case "vitae_postgres_acquired_total":
		return "Postgres"
	case "grpc_client_started_total":
		service := label(labels, "grpc_service")
		return service[strings.LastIndexByte(service, '.')+1:] + "/" + label(labels, "grpc_method")
	}
	return ""
}

func label(labels, name string) string {
	_, rest, _ := strings.Cut(labels, name+`="`)
	value, _, _ := strings.Cut(rest, `"`)
	return value
}

// trips repeats a request until caches are warm. It then returns the number of calls and queries that
// each further request causes, by sender and receiver.
//
// Calls and Redis queries are the rounded mean of all requests. Postgres queries are the minimum,
// because services also query their databases in the background: auth checks its outboxes and writes
// batches of usage about five times per second. On a busy machine that overlaps with most requests, but
// not with all.
func trips(t *testing.T, send func(*testing.T)) []string {
	t.Helper()
	for range 3 { // only the third request uses the token's record in Redis
		send(t)
	}
	seen := []map[string]float64{counts(t)}
	for range requests {
		send(t)
		seen = append(seen, counts(t))
	}
	var found []string
	for _, what := range slices.Sorted(maps.Keys(seen[requests])) {
		n := mean(seen, what)
		if strings.HasSuffix(what, " > Postgres") {
			n = fewest(seen, what)
		}
		if n > 0 {
			found = append(found, fmt.Sprintf("%s: %d", what, n))
		}
	}
	return found
}

// mean returns the rounded mean increase of a count from one reading to the next.
func mean(seen []map[string]float64, what string) int {
	return int(math.Round((seen[len(seen)-1][what] - seen[0][what]) / float64(len(seen)-1)))
}

// fewest returns the smallest increase of a count from one reading to the next.
func fewest(seen []map[string]float64, what string) int {
	least := math.Inf(1)
	for i, now := range seen[1:] {
		least = min(least, now[what]-seen[i][what])
	}
	return int(least)
}
