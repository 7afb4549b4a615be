package capacity

import (
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
)

// Plan is the file of assumptions.
type Plan struct {
	// Machine is the largest that an operator wants to run.
	Machine Machine `json:"machine"`
	// Habits are what people and partners do.
	Habits Habits `json:"habits"`
	// Steps are the deployments to compute, in the order of the tables.
	Steps []Step `json:"steps"`
}

// Step is a size of a deployment.
type Step struct {
	// Name heads a column.
	Name string `json:"name"`
	// People have a profile, and Rate is the calls a second at the busiest time of the day.
	People float64 `json:"people"`
	Rate   float64 `json:"rate"`
}

// Machine is what one process or one server may have.
type Machine struct {
	// Busy is the share of a processor that is planned for; the rest is for peaks within a
	// minute and for what a failed replica leaves to the others.
	Busy float64 `json:"busy"`
	// ReplicaCores are those of a replica of a part.
	ReplicaCores float64 `json:"replicaCores"`
	// PostgresCores, PostgresMemory and PostgresDisk (bytes) are those of a primary.
	PostgresCores  float64 `json:"postgresCores"`
	PostgresMemory float64 `json:"postgresMemory"`
	PostgresDisk   float64 `json:"postgresDisk"`
	// PostgresFlushes are the flushes a second that its log takes with two synchronous
	// standbys.
	PostgresFlushes float64 `json:"postgresFlushes"`
	// PostgresConnections is max_connections of a primary, PoolConnections what a replica of a
	// part opens.
	PostgresConnections float64 `json:"postgresConnections"`
	PoolConnections     float64 `json:"poolConnections"`
	// RedisMemory is that of a master in bytes. It has one core, because it is one thread.
	RedisMemory float64 `json:"redisMemory"`
}

// Habits are what people and partners do.
type Habits struct {
	// PeakOverMean is the rate of the busiest time over that of the whole day.
	PeakOverMean float64 `json:"peakOverMean"`
	// Mix are the shares of the kinds of calls; they add up to 1.
	Mix map[string]float64 `json:"mix"`
	// LargestAccount is the share of the calls that the busiest account makes.
	LargestAccount float64 `json:"largestAccount"`
	// Accounts is how many accounts call within an hour.
	Accounts float64 `json:"accounts"`
	// Per person: connections, CVs beside the main one, applications so far, photos. Of the
	// applications, ResumeShare come with a file of ResumeBytes.
	Connections  float64 `json:"connections"`
	FurtherCVs   float64 `json:"furtherCVs"`
	Photos       float64 `json:"photos"`
	Applications float64 `json:"applications"`
	ResumeShare  float64 `json:"resumeShare"`
	ResumeBytes  float64 `json:"resumeBytes"`
	// PeoplePerJob and JobsPerCompany say how many jobs and companies there are.
	PeoplePerJob   float64 `json:"peoplePerJob"`
	JobsPerCompany float64 `json:"jobsPerCompany"`
	// ActivePeople is the share of the people whose rows are read within some hours.
	ActivePeople float64 `json:"activePeople"`
	// LogDays, AuditDays, AccessTokenDays and FamilyDays are how long the request log, the
	// audit log, access tokens and the rotated tokens of a connection are kept. The first three
	// are the product's. A connection that is in use keeps its rotated tokens for as long as it
	// is, which is FamilyDays on average.
	LogDays         float64 `json:"logDays"`
	AuditDays       float64 `json:"auditDays"`
	AccessTokenDays float64 `json:"accessTokenDays"`
	FamilyDays      float64 `json:"familyDays"`
	// RecordSeconds and TierSeconds are how long a session record and the counters of a tier
	// live in Redis after a call.
	RecordSeconds float64 `json:"recordSeconds"`
	TierSeconds   float64 `json:"tierSeconds"`
	// PageImages is the WAL with images of whole pages over that without.
	PageImages float64 `json:"pageImages"`
	// Bloat is the size of tables that are changed over that of tables that were only filled.
	Bloat float64 `json:"bloat"`
	// HeaderBytes are those of an answer's header.
	HeaderBytes float64 `json:"headerBytes"`
}

// ReadPlan reads a file of assumptions for some coefficients.
func ReadPlan(file string, c Coefficients) (Plan, error) {
	var p Plan
	if err := read(file, &p); err != nil {
		return Plan{}, err
	}
	return p, p.check(c)
}

func (p Plan) check(c Coefficients) error {
	var faults []error
	total := 0.0
	for _, kind := range slices.Sorted(maps.Keys(p.Habits.Mix)) {
		if _, measured := c.Calls[kind]; !measured {
			faults = append(faults, fmt.Errorf("the mix has %q, which was not measured", kind))
		}
		total += p.Habits.Mix[kind]
	}
	if math.Abs(total-1) > 1e-9 {
		faults = append(faults, fmt.Errorf("the shares of the mix add up to %g, not to 1", total))
	}
	if p.Machine.Busy <= 0 || p.Machine.Busy > 1 || p.Habits.PeakOverMean < 1 || len(p.Steps) == 0 {
		faults = append(faults, errors.New("busy, peakOverMean and steps are required"))
	}
	return errors.Join(faults...)
}
