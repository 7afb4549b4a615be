package capacity

import (
	"math"
	"strings"
)

const (
	// day is the seconds of a day.
	day = 86_400
	// block is the bytes of a block of Postgres.
	block = 8192
	// minReplicas is how many replicas a part has so that one may end.
	minReplicas = 2
)

// Need is what a step needs at its busiest time.
type Need struct {
	Step Step
	// Cores are those of each process, as a call's Micros name them. Each part's are spread
	// over its Replicas.
	Cores    map[string]float64
	Replicas map[string]float64
	// Disk are the bytes in Postgres by kind of row, with indexes.
	Disk map[string]float64
	// Databases are the bytes by database, and Hot what of them should be in memory: indexes of
	// what is looked up, the rows of active people, and a day of each log.
	Databases map[string]float64
	Hot       map[string]float64
	// WAL is bytes a second with images of pages, Flushes how often a second the log is flushed,
	// both of all databases.
	WAL     float64
	Flushes float64
	// DiskWrites are operations a second: each flush, each block of the log, and for each of
	// these a block of a table or index at a checkpoint. It is a bound, because changes share
	// blocks.
	DiskWrites float64
	// RedisBytes are those of all keys, Keys how many there are by kind.
	RedisBytes float64
	Keys       map[string]float64
	// Blobs are bytes in the bucket.
	Blobs float64
	// Network are bytes a second of answers.
	Network float64
}

// parts are the processes of ours that are replicated. Chromium belongs to cvrender.
var parts = []string{"gateway", "auth", "candidate", "partnercatalog", "cvrender"}

// databases are those of the parts, in the order of the tables.
var databases = []string{"auth", "candidate", "partnercatalog"}

// Needs computes what a step needs.
func (p Plan) Needs(c Coefficients, s Step) Need {
	h := p.Habits
	n := Need{Step: s, Cores: map[string]float64{}, Replicas: map[string]float64{}, Keys: map[string]float64{}}
	mean := s.Rate / h.PeakOverMean
	var logged, events float64 // a second, of the whole day
	for kind, share := range h.Mix {
		call := c.Calls[kind]
		for process, micros := range call.Micros {
			n.Cores[process] += s.Rate * share * micros / 1e6
		}
		n.WAL += s.Rate * share * call.WAL * h.PageImages
		n.Flushes += s.Rate * share * call.Flushes
		n.Network += s.Rate * share * (call.Answer + h.HeaderBytes)
		logged += mean * share * call.Logged
		events += mean * share * call.Events
	}
	n.DiskWrites = n.Flushes + 2*n.WAL/block
	for _, part := range parts {
		n.Replicas[part] = math.Max(minReplicas, math.Ceil(n.Cores[part]/(p.Machine.ReplicaCores*p.Machine.Busy)))
	}
	refreshed := mean * h.Mix["refresh"]
	n.disk(c, h, p.rows(s, logged, events, refreshed))
	n.redis(c, h)
	n.Blobs = s.People * h.Applications * h.ResumeShare * (h.ResumeBytes + c.Blob)
	return n
}

// rows is how many rows of each kind there are once every retention has run once.
func (p Plan) rows(s Step, logged, events, refreshed float64) map[string]float64 {
	h := p.Habits
	jobs := s.People / h.PeoplePerJob
	return map[string]float64{
		Person: s.People, Profile: s.People, FurtherCV: s.People * h.FurtherCVs, Photo: s.People * h.Photos,
		Connection:   s.People * h.Connections,
		AccessToken:  refreshed * day * h.AccessTokenDays,
		RotatedToken: refreshed * day * h.FamilyDays,
		LoggedCall:   logged * day * h.LogDays,
		AuditEvent:   events * day * h.AuditDays,
		Job:          jobs, Company: jobs / h.JobsPerCompany,
		Application: s.People * h.Applications,
		Resume:      s.People * h.Applications * h.ResumeShare,
	}
}

// days is for how many days a kind of row is kept; 0 for as long as what it belongs to.
func (h Habits) days(kind string) float64 {
	switch kind {
	case LoggedCall:
		return h.LogDays
	case AuditEvent:
		return h.AuditDays
	}
	return 0
}

func (n *Need) disk(c Coefficients, h Habits, rows map[string]float64) {
	n.Disk, n.Databases, n.Hot = map[string]float64{}, map[string]float64{}, map[string]float64{}
	for kind, count := range rows {
		row, bloat := c.Rows[kind], h.Bloat
		days := h.days(kind)
		if days > 0 {
			bloat = 1 // only added to, and dropped by the day or week
		}
		n.Disk[kind] = count * row.Bytes() * bloat
		n.Databases[row.Database] += n.Disk[kind]
		switch {
		case days > 0:
			n.Hot[row.Database] += n.Disk[kind] / days
		case kind == Photo || kind == RotatedToken:
			// Read by few calls: a rotated token when somebody presents it again. A refresh adds
			// to its index at a random place, by the hash, which it may have to read from the disk.
			n.Hot[row.Database] += count * row.Indexes * h.ActivePeople * bloat
		default:
			n.Hot[row.Database] += count * (row.Indexes + row.Table*h.ActivePeople) * bloat
		}
	}
}

// redis counts keys. Every call of the record's life may come with another credential, and
// each credential has counters of its own until they have run out.
func (n *Need) redis(c Coefficients, h Habits) {
	n.Keys[SessionRecord] = n.Step.Rate * h.RecordSeconds
	n.Keys[TierCounters] = math.Min(n.Step.Rate*h.TierSeconds, n.Step.People*h.Connections+h.Accounts)
	n.Keys[AccountCounters], n.Keys[Generation] = h.Accounts, h.Accounts
	for kind, count := range n.Keys {
		n.RedisBytes += count * c.Redis[kind]
	}
}

// postgresCores are the cores of the servers of Postgres: of one database, or of the
// processes that belong to none.
func (n Need) postgresCores(database string) float64 {
	total := 0.0
	for process, cores := range n.Cores {
		if of, is := strings.CutPrefix(process, "postgres"); is && strings.TrimPrefix(of, "-") == database {
			total += cores
		}
	}
	return total
}

// DatabaseCores are those that a database needs when it has a server of its own: its own
// processes and its share of those that write for all.
func (n Need) DatabaseCores(database string) float64 {
	all := 0.0
	for _, d := range databases {
		all += n.postgresCores(d)
	}
	own := n.postgresCores(database)
	if all == 0 {
		return own
	}
	return own + n.postgresCores("")*own/all
}
