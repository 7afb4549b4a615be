package capacity

import (
	"cmp"
	"math"
	"slices"
)

// Limit is something of which one process or server has only so much.
type Limit struct {
	// Name says what is full.
	Name string
	// Then says what is turned on, and Otherwise what happens without it.
	Then, Otherwise string
	// share is how much of it a step uses; 1 is full. Of processors only the busy share of
	// Machine is to be used.
	share func(Plan, Need) float64
}

// Limits are all that the model knows, in no order.
var Limits = limits()

func limits() []Limit {
	all := []Limit{
		{
			Name: "two replicas of the gateway", Then: "more replicas of the gateway",
			Otherwise: "answers wait; from `VITAE_MAX_IN_FLIGHT` on, 503",
			share:     func(p Plan, n Need) float64 { return n.Cores["gateway"] / p.cores(minReplicas*p.Machine.ReplicaCores) },
		},
		{
			Name: "two replicas of candidate", Then: "more replicas of candidate",
			Otherwise: "reads of people wait, then 503",
			share: func(p Plan, n Need) float64 {
				return n.Cores["candidate"] / p.cores(minReplicas*p.Machine.ReplicaCores)
			},
		},
		{
			Name: "two replicas of auth", Then: "more replicas of auth",
			Otherwise: "sign-in, refresh and introspection wait; then the request log is late, and drops entries when `VITAE_USAGE_BUFFER` is full",
			share:     func(p Plan, n Need) float64 { return n.Cores["auth"] / p.cores(minReplicas*p.Machine.ReplicaCores) },
		},
		{
			Name: "one server of Postgres for all databases, processors", Then: "a server for each database, each with its standbys",
			Otherwise: "every part waits for every other one's statements",
			share:     func(p Plan, n Need) float64 { return n.allPostgresCores() / p.cores(p.Machine.PostgresCores) },
		},
		{
			Name: "one server of Postgres, flushes of the log", Then: "a server for each database; disks that flush faster",
			Otherwise: "each write waits longer for its commit",
			share:     func(p Plan, n Need) float64 { return n.Flushes / p.Machine.PostgresFlushes },
		},
		{
			Name: "connections of a server of Postgres", Then: "PgBouncer before each server",
			Otherwise: "new replicas cannot connect and stay unready",
			share:     func(p Plan, n Need) float64 { return n.connections(p) / p.Machine.PostgresConnections },
		},
		{
			Name: "Redis, its one thread", Then: "Redis Cluster (`VITAE_REDIS_CLUSTER=true`)",
			Otherwise: "all requests wait for Redis; from its timeout on, each gateway holds the limits alone",
			share:     func(p Plan, n Need) float64 { return n.Cores[redisServer] / p.cores(1) },
		},
		{
			Name: "Redis, the slot of the largest account", Then: "nothing that exists: divide the account, or its budget",
			Otherwise: "requests of all accounts of that shard wait for it",
			share: func(p Plan, n Need) float64 {
				return n.Cores[redisServer] * p.Habits.LargestAccount / p.cores(1)
			},
		},
		{
			Name: "Redis, memory", Then: "Redis Cluster, or more memory",
			Otherwise: "with `noeviction` it refuses writes: as without Redis",
			share:     func(p Plan, n Need) float64 { return n.RedisBytes / p.Machine.RedisMemory },
		},
	}
	for _, database := range databases {
		all = append(all, ofDatabase(database)...)
	}
	return all
}

// redisServer is the process of Redis, as a call's Micros name it.
const redisServer = "redis-server"

func ofDatabase(database string) []Limit {
	divide := map[string]string{
		"auth":           "fewer refreshes, then the logs in a database of their own, then tables divided (below)",
		"candidate":      "a larger disk, then tables divided (below)",
		"partnercatalog": "tables divided (below)",
	}[database]
	return []Limit{
		{
			Name: "Postgres of " + database + ", processors", Then: divide,
			Otherwise: "calls of " + database + " wait for a connection of its pool, then 503",
			share:     func(p Plan, n Need) float64 { return n.DatabaseCores(database) / p.cores(p.Machine.PostgresCores) },
		},
		{
			Name: "Postgres of " + database + ", disk", Then: divide,
			Otherwise: "copies and restores take longer than a night; full, it takes no writes",
			share:     func(p Plan, n Need) float64 { return n.Databases[database] / p.Machine.PostgresDisk },
		},
		{
			Name: "Postgres of " + database + ", memory", Then: "more memory; " + divide,
			Otherwise: "look-ups read the disk: some milliseconds each instead of some hundredths of one",
			share:     func(p Plan, n Need) float64 { return n.Hot[database] / p.Machine.PostgresMemory },
		},
	}
}

// cores are what may be used of some.
func (p Plan) cores(all float64) float64 { return all * p.Machine.Busy }

func (n Need) allPostgresCores() float64 {
	total := n.postgresCores("")
	for _, d := range databases {
		total += n.postgresCores(d)
	}
	return total
}

// connections are those of the pools at the database that has most of them.
func (n Need) connections(p Plan) float64 {
	most := 0.0
	for _, part := range databases {
		most = math.Max(most, n.Replicas[part]*p.Machine.PoolConnections)
	}
	return most
}

// Filling is how full a limit is at each step.
type Filling struct {
	Limit
	// Shares are those of the steps; 1 is full.
	Shares []float64
	// People is where it is full, if people and calls grow together as from the first step
	// to the largest one.
	People float64
}

// Fill gives the limits in the order in which they are reached. People is computed from the
// largest of the steps that grow together, because what two replicas have to spare hides how
// much the first ones need.
func (p Plan) Fill(c Coefficients) []Filling {
	grown := p.Steps[0]
	for _, s := range p.Steps {
		if s.People > grown.People && s.Rate/s.People == p.Steps[0].Rate/p.Steps[0].People {
			grown = s
		}
	}
	largest := p.Needs(c, grown)
	var all []Filling
	for _, l := range Limits {
		f := Filling{Limit: l, People: grown.People / l.share(p, largest)}
		for _, s := range p.Steps {
			f.Shares = append(f.Shares, l.share(p, p.Needs(c, s)))
		}
		all = append(all, f)
	}
	slices.SortStableFunc(all, func(a, b Filling) int { return cmp.Compare(a.People, b.People) })
	return all
}
