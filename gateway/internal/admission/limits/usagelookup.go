package limits

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// maxLookups limits the number of concurrent look-ups. At UTC midnight, and after Redis has lost its data,
	// all accounts need one at the same time.
	maxLookups = 16
	// lookupTimeout limits a shared look-up. Canceling one of the requests that share it does not
	// cancel the look-up.
	lookupTimeout = 3 * time.Second
)

var errUsageUnknown = errs.New(errs.Unavailable, errs.CodeUnavailable, "What is left of the quota cannot be told now.")

// usageLookup finds the usage of a day whose counter is missing: the usage that the auth service has
// recorded, or a higher figure if this replica remembers one. It makes at most one call per account at a
// time, and reuses a response for one second.
type usageLookup struct {
	usage   authv1.UsageServiceClient
	memory  *local
	flights singleflight.Group
	slots   chan struct{}
}

func newUsageLookup(usage authv1.UsageServiceClient, memory *local) *usageLookup {
	return &usageLookup{usage: usage, memory: memory, slots: make(chan struct{}, maxLookups)}
}

// used returns the account's usage on the UTC day of now. The figure is never too high. It may lack requests
// that other replicas admitted in the last few seconds and have not yet reported. used returns UNAVAILABLE
// if the auth service does not respond.
func (b *usageLookup) used(ctx context.Context, accountID string, now int64) (used, error) {
	day := time.UnixMicro(now).UTC().Format(time.DateOnly)
	flight := b.flights.DoChan(accountID+" "+day, func() (any, error) {
		// The previous look-up may have completed after this request found the counter missing. If so,
		// use its result.
		if s, asked := b.memory.asked(accountID, now); asked {
			return s, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookupTimeout)
		defer cancel()
		select {
		case b.slots <- struct{}{}:
			defer func() { <-b.slots }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		recorded, err := b.usage.GetSpent(ctx, &authv1.GetSpentRequest{AccountId: accountID, Day: day})
		if err != nil {
			return nil, err
		}
		return b.memory.known(accountID, now, int64(recorded.GetRequests())), nil
	})
	select {
	case landed := <-flight:
		if landed.Err != nil {
			return used{}, errUsageUnknown.WithCause(landed.Err)
		}
		return landed.Val.(used), nil
	case <-ctx.Done():
		return used{}, errUsageUnknown.WithCause(ctx.Err())
	}
}
