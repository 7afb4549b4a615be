package scene

import (
	"context"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/partner"
)

// AtOnce runs n calls concurrently and returns their answers in order.
func AtOnce(t testing.TB, n int, call func(ctx context.Context, i int) (partner.Answer, error)) []partner.Answer {
	t.Helper()
	answers := make([]partner.Answer, n)
	start := make(chan struct{})
	group, ctx := errgroup.WithContext(t.Context())
	for i := range n {
		group.Go(func() (err error) {
			<-start
			answers[i], err = call(ctx, i)
			return err
		})
	}
	close(start)
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return answers
}
