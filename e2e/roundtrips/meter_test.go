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

// requests is how many requests are counted for each route. Calls that few requests make, such as
// the refill of a session record every ten seconds, disappear in the rounding.
const requests = 30

// apart are calls that belong to no request: batches of usage and events, and health checks.
var apart = []string{"UsageService/RecordRequests", "AuditService/RecordEvents", "Health/Check", "Health/Watch"}

// metrics requests only the series that asked knows: all of them would take longer than the
// requests that are counted.
const metrics = "/metrics?name[]=vitae_redis_acquired_total&name[]=vitae_postgres_acquired_total&name[]=grpc_client_started_total"

// endpoints returns the addresses of the operations endpoints of each part. It runs once, because it
// checks every process of the machine.
var endpoints = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, part := range []string{"gateway", "auth", "partnercatalog", "candidate"} {
		all[part] = nil
		for _, replica := range suite.System.Services(part) {
			address, _ := replica.Env("VITAE_OPS_ADDR")
			all[part] = append(all[part], address)
		}
	}
	return all
})

// counts returns how many calls and queries the parts have sent so far, by sender and receiver:
// "gateway > Redis", "gateway > MeService/GetMe", "candidate > Postgres".
func counts(t *testing.T) map[string]float64 {
	t.Helper()
	all := map[string]float64{}
	for part, addresses := range endpoints() {
		if len(addresses) == 0 {
			t.Fatalf("no process of part %s", part)
		}
		for _, address := range addresses {
			a := expect.Must(partner.Get(t.Context(), "http://"+address+metrics, ""))(t)
			for line := range strings.Lines(string(a.Body)) {
				series, value, _ := strings.Cut(strings.TrimSpace(line), "} ")
				if what := asked(series); what != "" && !slices.Contains(apart, what) {
					all[part+" > "+what] += expect.Must(strconv.ParseFloat(value, 64))(t)
				}
			}
		}
	}
	return all
}

// asked returns what a series counts, "" if that is not a call or a query.
func asked(series string) string {
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

// trips repeats a request until the caches are warm. It then returns how many calls and queries
// each further request makes, and to which parts and servers.
//
// Calls and Redis queries are the mean of all requests, rounded. Postgres queries are the minimum,
// because the parts also query their databases in the background: auth checks its outboxes and
// writes batches of usage about five times a second. On a busy machine that overlaps with most
// requests, but not with all.
func trips(t *testing.T, ask func(*testing.T)) []string {
	t.Helper()
	for range 3 { // the third question about a token is the first that Redis answers
		ask(t)
	}
	seen := []map[string]float64{counts(t)}
	for range requests {
		ask(t)
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

// mean returns the mean growth of a count from one reading to the next, rounded.
func mean(seen []map[string]float64, what string) int {
	return int(math.Round((seen[len(seen)-1][what] - seen[0][what]) / float64(len(seen)-1)))
}

// fewest returns the smallest growth of a count from one reading to the next.
func fewest(seen []map[string]float64, what string) int {
	least := math.Inf(1)
	for i, now := range seen[1:] {
		least = min(least, now[what]-seen[i][what])
	}
	return int(least)
}
