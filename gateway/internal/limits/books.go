package limits

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	authv1 "vitae.internal/proto/gen/vitae/auth/v1"

	"vitae.internal/pkg/errs"
)

const (
	// lookUps bounds how many accounts are looked up at a time: at UTC midnight and
	// after Redis has lost everything, all of them come together.
	lookUps = 16
	// lookUpTimeout bounds a shared look-up, which no single request may cancel.
	lookUpTimeout = 3 * time.Second
)

var errNoBooks = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "What is left of the quota cannot be told now.")

// books ask auth what was spent of a day, one call at a time for an account.
type books struct {
	usage   authv1.UsageServiceClient
	flights singleflight.Group
	slots   chan struct{}
}

func newBooks(usage authv1.UsageServiceClient) *books {
	return &books{usage: usage, slots: make(chan struct{}, lookUps)}
}

// spent is what the account has spent of the UTC day of a time, as far as auth has
// been told: it may lag some seconds, and is never too much. Errors: UNAVAILABLE.
func (b *books) spent(ctx context.Context, accountID string, now int64) (int64, error) {
	day := time.UnixMicro(now).UTC().Format(time.DateOnly)
	flight := b.flights.DoChan(accountID+" "+day, func() (any, error) {
		ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), lookUpTimeout)
		defer cancel()
		select {
		case b.slots <- struct{}{}:
			defer func() { <-b.slots }()
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return b.usage.GetSpent(ctx, &authv1.GetSpentRequest{AccountId: accountID, Day: day})
	})
	select {
	case landed := <-flight:
		if landed.Err != nil {
			return 0, errNoBooks.WithCause(landed.Err)
		}
		return int64(landed.Val.(*authv1.GetSpentResponse).GetRequests()), nil
	case <-ctx.Done():
		return 0, errNoBooks.WithCause(ctx.Err())
	}
}
