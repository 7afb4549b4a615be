package capacity

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
)

// Coefficients are what was measured. `make capacity` writes them.
type Coefficients struct {
	// Measured says when, at which revision and on what machine.
	Measured Origin `json:"measured"`
	// Calls are the costs of one call of each kind.
	Calls map[string]Call `json:"calls"`
	// FloorMicros is the processor time of a bare process that does the same work in Redis
	// and Postgres, with both, measured in turn with the call of the same name. The speed of a
	// machine drifts; the ratio to the floor does not.
	FloorMicros map[string]float64 `json:"floorMicros"`
	// Rows are the sizes of what Postgres keeps, by kind.
	Rows map[string]Row `json:"rows"`
	// Redis are the bytes of the keys of Redis, by kind (MEMORY USAGE).
	Redis map[string]float64 `json:"redis"`
	// Blob is what a bucket in a folder keeps of a resume beside its content, in bytes.
	Blob float64 `json:"blob"`
}

// Origin is where figures come from.
type Origin struct {
	On       string `json:"on"`
	Revision string `json:"revision"`
	Machine  string `json:"machine"`
}

// Call is what one call costs.
type Call struct {
	// Micros is the processor time in microseconds, user and system, by process. The
	// processes of Postgres are told apart by database ("postgres-auth"); those that belong to
	// none are "postgres".
	Micros map[string]float64 `json:"micros"`
	// WAL is what Postgres writes to its log, in bytes. The images of whole pages that follow a
	// checkpoint are hardly in it, because the pages had theirs while the call warmed up.
	WAL float64 `json:"wal"`
	// Flushes is how often Postgres flushes that log to the disk. Transactions that commit at
	// the same time are flushed together, so it is less than one of each under load.
	Flushes float64 `json:"flushes"`
	// Logged and Events are entries of the request log and of the audit log.
	Logged float64 `json:"logged"`
	Events float64 `json:"events"`
	// Answer is the size of the answer in bytes, without its header.
	Answer float64 `json:"answer"`
}

// Row is what one thing of a kind takes in Postgres, in bytes, in all tables that hold it.
type Row struct {
	// Database has it.
	Database string `json:"database"`
	// Table is the rows with what is stored beside them (TOAST), Indexes their indexes.
	Table   float64 `json:"table"`
	Indexes float64 `json:"indexes"`
}

// Bytes are all bytes of a row.
func (r Row) Bytes() float64 { return r.Table + r.Indexes }

// Kinds of rows. A Coefficients has all of them.
const (
	Person       = "person"
	Profile      = "profile"
	FurtherCV    = "further CV"
	Photo        = "photo"
	Connection   = "connection"
	AccessToken  = "access token"
	RotatedToken = "rotated refresh token"
	AuditEvent   = "audit event"
	LoggedCall   = "logged request"
	Company      = "company"
	Job          = "job"
	Application  = "application"
	Resume       = "resume"
)

// RowKinds lists the kinds of rows in the order of the tables.
var RowKinds = []string{
	Person, Connection, AccessToken, RotatedToken, LoggedCall, AuditEvent,
	Profile, FurtherCV, Photo, Application, Resume, Company, Job,
}

// Kinds of keys of Redis.
const (
	SessionRecord   = "session record"
	Generation      = "generation of an account"
	AccountCounters = "counters of an account"
	TierCounters    = "counters of a tier"
)

// KeyKinds lists the kinds of keys in the order of the tables.
var KeyKinds = []string{SessionRecord, TierCounters, AccountCounters, Generation}

// ReadCoefficients reads a file of coefficients.
func ReadCoefficients(file string) (Coefficients, error) {
	var c Coefficients
	if err := read(file, &c); err != nil {
		return Coefficients{}, err
	}
	return c, c.check()
}

// Write writes them to a file.
func (c Coefficients) Write(file string) error {
	if err := c.check(); err != nil {
		return err
	}
	raw, err := json.MarshalIndent(c, "", "  ")
	if err != nil {
		return err
	}
	return os.WriteFile(file, append(raw, '\n'), 0o644)
}

func (c Coefficients) check() error {
	var faults []error
	for _, kind := range RowKinds {
		if r := c.Rows[kind]; r.Bytes() <= 0 || r.Database == "" {
			faults = append(faults, fmt.Errorf("no size of a row %q", kind))
		}
	}
	for _, kind := range KeyKinds {
		if c.Redis[kind] <= 0 {
			faults = append(faults, fmt.Errorf("no size of a key %q", kind))
		}
	}
	if len(c.Calls) == 0 {
		faults = append(faults, errors.New("no calls"))
	}
	return errors.Join(faults...)
}

// read reads a file that holds one JSON value without unknown fields: a figure whose name is
// misspelt must not be taken for one that is not there.
func read(file string, into any) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	d := json.NewDecoder(bytes.NewReader(raw))
	d.DisallowUnknownFields()
	if err := d.Decode(into); err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return nil
}
