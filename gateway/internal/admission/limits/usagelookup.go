package limits

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// lookUps bounds how many accounts are looked up at a time. At UTC midnight, and
	// after Redis has lost its data, all accounts need it at once.
	lookUps = 16
	// lookUpTimeout bounds a shared look-up. It does not end when one of its requests
	// is cancelled.
	lookUpTimeout = 3 * time.Second
)

var errUsageUnknown = errs.New(errs.Unavailable, errs.CodeUnavailable, "What is left of the quota cannot be told now.")

// usageLookup finds what was spent of a day whose counter is missing: the usage that
// auth has recorded, or more if this replica remembers more. It makes one call at a
// time for an account, and reuses an answer for a moment.
type usageLookup struct {
	usage   authv1.UsageServiceClient
	memory  *local
	flights singleflight.Group
	slots   chan struct{}
}

func newUsageLookup(usage authv1.UsageServiceClient, memory *local) *usageLookup {
	return &usageLookup{usage: usage, memory: memory, slots: make(chan struct{}, lookUps)}
}

// spent returns what the account has spent of the UTC day of now. Requests that
// other replicas admitted in the last seconds may be missing, because auth does not
// know them yet; the figure is never too high. Errors: UNAVAILABLE.
func (b *usageLookup) spent(ctx context.Context, accountID string, now int64) (spent, error) {
	day := time.UnixMicro(now).UTC().Format(time.DateOnly)
	flight := b.flights.DoChan(accountID+" "+day, func() (any, error) {
		// The flight before this one may have found the answer after this request missed
		// the counter. Then that answer is used.
		if s, asked := b.memory.asked(accountID, now); asked {
			return s, nil
		}
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTimeout)
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
			return spent{}, errUsageUnknown.WithCause(landed.Err)
		}
		return landed.Val.(spent), nil
	case <-ctx.Done():
		return spent{}, errUsageUnknown.WithCause(ctx.Err())
	}
}
