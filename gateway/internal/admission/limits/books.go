package limits

import (
	"context"
	"time"

	"golang.org/x/sync/singleflight"

	"vitae.internal/pkg/errs"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

const (
	// lookUps bounds how many accounts are looked up at a time: at UTC midnight and
	// after Redis has lost everything, all of them come together.
	lookUps = 16
	// lookUpTimeout bounds a shared look-up, which no single request may cancel.
	lookUpTimeout = 3 * time.Second
)

var errNoBooks = errs.New(errs.Unavailable, "SERVICE_UNAVAILABLE", "What is left of the quota cannot be told now.")

// books tell what was spent of a day whose counter is missing: what auth has in its
// books, and what this replica remembers beyond. Auth is asked one call at a time for
// an account, and not again at once.
type books struct {
	usage   authv1.UsageServiceClient
	memory  *local
	flights singleflight.Group
	slots   chan struct{}
}

func newBooks(usage authv1.UsageServiceClient, memory *local) *books {
	return &books{usage: usage, memory: memory, slots: make(chan struct{}, lookUps)}
}

// spent is what the account has spent of the UTC day of a time. What other replicas
// admitted may be missing for as long as they take to tell auth, some seconds; it is
// never too much. Errors: UNAVAILABLE.
func (b *books) spent(ctx context.Context, accountID string, now int64) (spent, error) {
	day := time.UnixMicro(now).UTC().Format(time.DateOnly)
	flight := b.flights.DoChan(accountID+" "+day, func() (any, error) {
		// Whoever comes here after a flight that was under way when its request found
		// nothing takes what that flight has brought.
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
		booked, err := b.usage.GetSpent(ctx, &authv1.GetSpentRequest{AccountId: accountID, Day: day})
		if err != nil {
			return nil, err
		}
		return b.memory.known(accountID, now, int64(booked.GetRequests())), nil
	})
	select {
	case landed := <-flight:
		if landed.Err != nil {
			return spent{}, errNoBooks.WithCause(landed.Err)
		}
		return landed.Val.(spent), nil
	case <-ctx.Done():
		return spent{}, errNoBooks.WithCause(ctx.Err())
	}
}
