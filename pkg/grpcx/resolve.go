package grpcx

import (
	"sync"
	"time"

	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/resolver/dns"
)

const (
	// resolveEvery is the interval at which names are resolved again, so that a new replica
	// receives calls before the replica that it replaces stops.
	resolveEvery = 5 * time.Second
	// minResolveInterval is the minimum time between two resolutions. With gRPC's default of 30 s,
	// calls would go to IP addresses that no longer exist.
	minResolveInterval = time.Second
)

func init() {
	dns.SetMinResolutionInterval(minResolveInterval)
}

// repeating wraps gRPC's resolver for dns:/// targets, which resolves a name again only when a
// connection closes. repeating also resolves it periodically.
type repeating struct {
	resolver.Builder
	every time.Duration
}

func newResolver(every time.Duration) resolver.Builder {
	return repeating{resolver.Get("dns"), every}
}

func (b repeating) Build(target resolver.Target, cc resolver.ClientConn, opts resolver.BuildOptions) (resolver.Resolver, error) {
	inner, err := b.Builder.Build(target, cc, opts)
	if err != nil {
		return nil, err
	}
	r := &lookup{Resolver: inner, ended: make(chan struct{})}
	go r.repeat(b.every)
	return r, nil
}

// lookup is the resolver of one connection.
type lookup struct {
	resolver.Resolver
	close sync.Once
	ended chan struct{}
}

func (r *lookup) repeat(every time.Duration) {
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-r.ended:
			return
		case <-tick.C:
			r.ResolveNow(resolver.ResolveNowOptions{})
		}
	}
}

// Close stops the periodic resolution.
func (r *lookup) Close() {
	r.close.Do(func() { close(r.ended) })
	r.Resolver.Close()
}
