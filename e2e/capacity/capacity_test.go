package capacity_test

import (
	"maps"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"vitae.internal/e2e/capacity"
)

// measured has one kind of call and rows of one byte of table and two of indexes.
func measured() capacity.Coefficients {
	c := capacity.Coefficients{
		Calls: map[string]capacity.Call{
			"me": {
				Micros: map[string]float64{"gateway": 400, "candidate": 200, "redis-server": 100, "postgres-candidate": 90, "postgres-auth": 10, "postgres": 20},
				WAL:    100, Flushes: 0.5, Logged: 1, Events: 0.1, Answer: 1000,
			},
			"refresh": {Micros: map[string]float64{"auth": 1000}},
		},
		Rows: map[string]capacity.Row{}, Redis: map[string]float64{}, Blob: 100,
	}
	for _, kind := range capacity.RowKinds {
		c.Rows[kind] = capacity.Row{Database: "auth", Table: 1, Indexes: 2}
	}
	c.Rows[capacity.Profile] = capacity.Row{Database: "candidate", Table: 4000, Indexes: 100}
	for _, kind := range capacity.KeyKinds {
		c.Redis[kind] = 10
	}
	return c
}

func assumed() capacity.Plan {
	return capacity.Plan{
		Machine: capacity.Machine{
			Busy: 0.5, ReplicaCores: 2, PostgresCores: 4, PostgresMemory: 1e9, PostgresDisk: 1e9, PostgresFlushes: 1000,
			PostgresConnections: 100, PoolConnections: 10, RedisMemory: 1e6,
		},
		Habits: capacity.Habits{
			PeakOverMean: 2, Mix: map[string]float64{"me": 0.5, "refresh": 0.5}, LargestAccount: 0.1, Accounts: 7,
			Connections: 2, Applications: 3, ResumeShare: 0.5, ResumeBytes: 900, PeoplePerJob: 10, JobsPerCompany: 5, ActivePeople: 0.1,
			LogDays: 30, AuditDays: 400, AccessTokenDays: 7, FamilyDays: 90, RecordSeconds: 10, TierSeconds: 60,
			PageImages: 2, Bloat: 1.5, HeaderBytes: 500,
		},
		Steps: []capacity.Step{{"small", 1000, 100}, {"large", 100_000, 10_000}},
	}
}

func near(t *testing.T, what string, got, want float64) {
	t.Helper()
	if math.Abs(got-want) > 1e-9*math.Max(1, math.Abs(want)) {
		t.Errorf("%s is %v, want %v", what, got, want)
	}
}

func TestCoresAreTheRateTimesTheMixTimesTheCost(t *testing.T) {
	n := assumed().Needs(measured(), capacity.Step{People: 1e6, Rate: 10_000})
	near(t, "gateway", n.Cores["gateway"], 10_000*0.5*400e-6)
	near(t, "auth", n.Cores["auth"], 10_000*0.5*1000e-6)
	near(t, "replicas of the gateway", n.Replicas["gateway"], 2) // 2 cores of use, 1 of each replica's 2
	near(t, "replicas of auth", n.Replicas["auth"], 5)
	near(t, "replicas of a part that is not called", n.Replicas["cvrender"], 2)
	// 0.45 and 0.05 cores are the databases'; of 0.1 for all of them nine tenths are candidate's.
	near(t, "Postgres of candidate", n.DatabaseCores("candidate"), 0.45+0.09)
	near(t, "Postgres of auth", n.DatabaseCores("auth"), 0.05+0.01)
	near(t, "Postgres of partnercatalog", n.DatabaseCores("partnercatalog"), 0)
}

func TestWritesAndAnswersFollowTheBusiestTime(t *testing.T) {
	n := assumed().Needs(measured(), capacity.Step{People: 1000, Rate: 100})
	near(t, "WAL with images of pages", n.WAL, 100*0.5*100*2)
	near(t, "flushes", n.Flushes, 100*0.5*0.5)
	near(t, "writes to the disks", n.DiskWrites, 25+2*10_000.0/8192)
	near(t, "answers", n.Network, 100*0.5*1500+100*0.5*500)
}

func TestWhatIsKeptFollowsPeopleAndTheMeanOfTheDay(t *testing.T) {
	n := assumed().Needs(measured(), capacity.Step{People: 1000, Rate: 100})
	near(t, "people", n.Disk[capacity.Person], 1000*3*1.5)
	near(t, "profiles", n.Disk[capacity.Profile], 1000*4100*1.5)
	near(t, "connections", n.Disk[capacity.Connection], 2000*3*1.5)
	near(t, "the request log, which is dropped by the day", n.Disk[capacity.LoggedCall], 50*0.5*86_400*30*3)
	near(t, "the audit log", n.Disk[capacity.AuditEvent], 50*0.5*0.1*86_400*400*3)
	near(t, "access tokens", n.Disk[capacity.AccessToken], 25*86_400*7*3*1.5)
	near(t, "rotated tokens", n.Disk[capacity.RotatedToken], 25*86_400*90*3*1.5)
	near(t, "jobs", n.Disk[capacity.Job], 100*3*1.5)
	near(t, "companies", n.Disk[capacity.Company], 20*3*1.5)
	near(t, "bucket", n.Blobs, 1000*3*0.5*1000)
	near(t, "the database of candidate", n.Databases["candidate"], n.Disk[capacity.Profile])
	near(t, "what of it is read often", n.Hot["candidate"], 1000*(100+0.1*4000)*1.5)
	all := 0.0
	for bytes := range maps.Values(n.Disk) {
		all += bytes
	}
	near(t, "all databases", n.Databases["auth"]+n.Databases["candidate"], all)
}

func TestRedisKeepsARecordForEveryCallOfItsLife(t *testing.T) {
	n := assumed().Needs(measured(), capacity.Step{People: 1000, Rate: 100})
	near(t, "records", n.Keys[capacity.SessionRecord], 1000)
	near(t, "counters of tiers, one a connection and account at most", n.Keys[capacity.TierCounters], 2007)
	near(t, "memory", n.RedisBytes, (1000+2007+7+7)*10)
}

func TestALimitIsReachedWhereItsShareIsWhole(t *testing.T) {
	p, c := assumed(), measured()
	var before float64
	for _, f := range p.Fill(c) {
		if f.People < before {
			t.Errorf("%s, at %g people, comes after one at %g", f.Name, f.People, before)
		}
		before = f.People
		switch f.Name {
		case "Redis, its one thread":
			near(t, "Redis at the large step", f.Shares[1], 10_000*0.5*100e-6/0.5)
			near(t, "Redis is full", f.People, 100_000)
		case "Redis, the slot of the largest account":
			near(t, "the slot is full", f.People, 1_000_000)
		case "Postgres of candidate, disk":
			near(t, "the disk is full", f.People, 1e9/(4100*1.5))
		case "connections of a server of Postgres":
			near(t, "connections at the large step", f.Shares[1], 50.0/100)
		}
		if f.Then == "" || f.Otherwise == "" {
			t.Errorf("%s: nothing says what to turn on, or what happens otherwise", f.Name)
		}
	}
	if len(p.Fill(c)) != len(capacity.Limits) {
		t.Error("a limit is missing")
	}
}

func TestAFileWithAMistakeIsRefused(t *testing.T) {
	raw, err := os.ReadFile("scenarios.json")
	if err != nil {
		t.Fatal(err)
	}
	c, err := capacity.ReadCoefficients("coefficients.json")
	if err != nil {
		t.Fatal(err)
	}
	for name, change := range map[string][2]string{
		"a misspelt name":      {`"bloat"`, `"bloot"`},
		"a call of no measure": {`"me":`, `"mine":`},
		"a mix of more than 1": {`"me": 0.`, `"me": 1.`},
	} {
		file := filepath.Join(t.TempDir(), "scenarios.json")
		changed := strings.Replace(string(raw), change[0], change[1], 1)
		if changed == string(raw) {
			t.Fatalf("%s: the file has no %s", name, change[0])
		}
		if err := os.WriteFile(file, []byte(changed), 0o600); err != nil {
			t.Fatal(err)
		}
		if _, err := capacity.ReadPlan(file, c); err == nil {
			t.Errorf("%s is taken", name)
		}
	}
	c.Rows = nil
	if err := c.Write(filepath.Join(t.TempDir(), "coefficients.json")); err == nil {
		t.Error("coefficients without sizes are written")
	}
}
