package limits

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"time"

	"vitae.internal/pkg/sessionrecord"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// used is the known usage of a day and a minute, both numbered since 1970. The zero value means that nothing is
// known.
type used struct{ day, dayUsed, minute, minuteUsed int64 }

// ruling is a decision made by the script or, if Redis does not respond, by this replica.
type ruling struct {
	outcome             Outcome
	now                 int64 // microseconds of Unix time, on the counters' clock
	minuteUsed, dayUsed int64
	wait                time.Duration
	record              *authv1.SessionRecord // nil if the caller already has it
	// untrusted means that the script's decision was based on a record that the auth service did
	// not write.
	untrusted    bool
	withoutRedis bool // Redis did not respond
}

// counted reports whether the ruling contains the usage of the account's budget.
func (r ruling) counted() bool { return r.outcome != Missing && r.outcome != outcomeUnseeded }

func (l *Limiter) ask(ctx context.Context, ask Ask, known used) (ruling, error) {
	record, generation := ask.Ref.Keys()
	keys := []string{
		record, generation,
		sessionrecord.AccountKey(ask.Ref.AccountID, "spent"),
		sessionrecord.AccountKey(ask.Ref.AccountID, "tier:"+ask.Subject),
	}
	args := make([]any, 0, 15)
	if held := ask.Held; held != nil {
		args = append(args, 1, held.GetAccountSuspended(), held.GetPlan().GetPerMinute(), held.GetPlan().GetPerDay())
	} else {
		args = append(args, 0, "", "", "") // the script reads these values from the record
	}
	args = append(args, l.Clock.Now().UnixMicro())
	args = append(args, ask.Tier.args()...)
	remembered := l.local.remembered(ask.Ref.AccountID)
	args = append(args, known.day, known.dayUsed, remembered.day, remembered.dayUsed, remembered.minute, remembered.minuteUsed)

	answer, err := l.scripts.admit.Run(ctx, l.Redis, keys, args...).Slice()
	if err != nil {
		return ruling{}, fmt.Errorf("limits: %w", err)
	}
	r, stored, err := readRuling(answer)
	if err == nil && stored != nil {
		r.record = l.Records.Open(ctx, ask.Ref, stored)
		r.untrusted = r.record == nil
	}
	return r, err
}

func readRuling(answer []any) (r ruling, stored *sessionrecord.Stored, err error) {
	if len(answer) != 6 {
		return r, nil, fmt.Errorf("limits: a reply with %d values", len(answer))
	}
	outcome, _ := answer[0].(string)
	r.outcome = Outcome(outcome)
	var wait int64
	for i, into := range []*int64{&r.now, &r.minuteUsed, &r.dayUsed, &wait} {
		n, ok := answer[1+i].(int64)
		if !ok {
			return r, nil, fmt.Errorf("limits: a reply with %v instead of a number", answer[1+i])
		}
		*into = n
	}
	r.wait = time.Duration(wait) * time.Microsecond
	fields, _ := answer[5].([]any)
	stored, err = sessionrecord.StoredFrom(fields)
	return r, stored, err
}

// askSurface returns how long a request must wait, and the time in microseconds of Unix time.
func (l *Limiter) askSurface(ctx context.Context, t Tier, subject string, charge bool, others int64) (wait time.Duration, now int64, err error) {
	answer, err := l.scripts.surface.Run(ctx, l.Redis, []string{surfaceKey(subject)}, append(t.args(), charge, others)...).Int64Slice()
	return readSurface(answer, err)
}

func readSurface(answer []int64, err error) (wait time.Duration, now int64, _ error) {
	if err != nil {
		return 0, 0, fmt.Errorf("limits: %w", err)
	}
	if len(answer) != 2 {
		return 0, 0, fmt.Errorf("limits: a reply with %d values", len(answer))
	}
	return time.Duration(answer[0]) * time.Microsecond, answer[1], nil
}

// surfaceKey hashes the subject, which clients choose, to hide it and to limit the length of the key.
func surfaceKey(subject string) string {
	sum := sha256.Sum256([]byte(subject))
	return "tier:" + hex.EncodeToString(sum[:])
}
