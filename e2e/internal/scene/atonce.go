package scene

import (
	"context"
	"testing"

	"golang.org/x/sync/errgroup"

	"vitae.internal/e2e/internal/partner"
)

// AtOnce makes n calls concurrently and returns their responses in order.
func AtOnce(t testing.TB, n int, call func(ctx context.Context, i int) (partner.Response, error)) []partner.Response {
	t.Helper()
	responses := make([]partner.Response, n)
	start := make(chan struct{})
	group, ctx := errgroup.WithContext(t.Context())
	for i := range n {
		group.Go(func() (err error) {
			<-start
			responses[i], err = call(ctx, i)
			return err
		})
	}
	close(start)
	if err := group.Wait(); err != nil {
		t.Fatal(err)
	}
	return responses
}
