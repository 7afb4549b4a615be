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

// requests is how many are counted of each route. The fill of a session record every ten
// seconds, and other calls that most requests do not make, are far fewer than half as many,
// and vanish in the rounding.
const requests = 30

// apart are calls that belong to no request: batches of usage and events, and questions
// whether a part is there.
var apart = []string{"UsageService/RecordRequests", "AuditService/RecordEvents", "Health/Check", "Health/Watch"}

// metrics asks for the series that asked knows, and no others: all would take longer than the
// requests that are counted.
const metrics = "/metrics?name[]=vitae_redis_acquired_total&name[]=vitae_postgres_acquired_total&name[]=grpc_client_started_total"

// endpoints are the addresses of the operations endpoints of each part. They are found once:
// every process of the machine is looked at for that.
var endpoints = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	for _, part := range []string{"gateway", "auth", "partnercatalog", "candidate"} {
		all[part] = nil
		for _, replica := range suite.System.Parts(part) {
			address, _ := replica.Env("VITAE_OPS_ADDR")
			all[part] = append(all[part], address)
		}
	}
	return all
})

// counts are what the parts have asked of each other so far, by who and what: "gateway >
// Redis", "gateway > MeService/GetMe", "candidate > Postgres".
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

// asked tells what a series counts, and gives nothing for those of other things.
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

// trips makes a request until everything about it is known that is known of one in use, and
// then gives what each further one asks of whom.
//
// Calls and questions to Redis are the mean of all requests, rounded. Of questions to Postgres
// it is the fewest that one of the requests came with, because the parts also ask their databases of
// themselves: auth looks at its outboxes and writes batches of usage some five times a second. On a
// busy machine that happens during most requests, but not during all.
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

// mean is by how much a count has grown from one reading to the next in the mean, rounded.
func mean(seen []map[string]float64, what string) int {
	return int(math.Round((seen[len(seen)-1][what] - seen[0][what]) / float64(len(seen)-1)))
}

// fewest is the least by which a count has grown from one reading to the next.
func fewest(seen []map[string]float64, what string) int {
	least := math.Inf(1)
	for i, now := range seen[1:] {
		least = min(least, now[what]-seen[i][what])
	}
	return int(least)
}
