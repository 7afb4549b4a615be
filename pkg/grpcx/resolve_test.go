package grpcx

import (
	"net"
	"net/url"
	"slices"
	"sync"
	"testing"
	"time"

	"golang.org/x/net/dns/dnsmessage"
	"google.golang.org/grpc/resolver"
	"google.golang.org/grpc/serviceconfig"

	"vitae.internal/pkg/mtls"
)

// names is a name server that returns its IPv4 addresses for every A query, and an empty result for
// all other queries.
type names struct {
	mu        sync.Mutex
	addresses [][4]byte
	// asked receives the type of every query. It may be nil.
	asked chan dnsmessage.Type
}

func (n *names) set(addresses ...[4]byte) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.addresses = addresses
}

func (n *names) serve(t *testing.T) string {
	t.Helper()
	conn, err := net.ListenPacket("udp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	go func() {
		buffer := make([]byte, 1500)
		for {
			size, from, err := conn.ReadFrom(buffer)
			if err != nil {
				return
			}
			var m dnsmessage.Message
			if m.Unpack(buffer[:size]) != nil {
				continue
			}
			if answer, err := n.answer(m); err == nil {
				_, _ = conn.WriteTo(answer, from)
			}
		}
	}()
	return conn.LocalAddr().String()
}

func (n *names) answer(m dnsmessage.Message) ([]byte, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	m.Response, m.Additionals = true, nil
	question := m.Questions[0]
	if n.asked != nil {
		n.asked <- question.Type
	}
	if question.Type == dnsmessage.TypeA {
		for _, a := range n.addresses {
			m.Answers = append(m.Answers, dnsmessage.Resource{
				Header: dnsmessage.ResourceHeader{Name: question.Name, Type: question.Type, Class: question.Class},
				Body:   &dnsmessage.AResource{A: a},
			})
		}
	}
	return m.Pack()
}

// balancer receives the addresses found by a resolver.
type balancer struct{ found chan []string }

func (b balancer) UpdateState(s resolver.State) error {
	var all []string
	for _, e := range s.Endpoints {
		all = append(all, e.Addresses[0].Addr)
	}
	slices.Sort(all)
	b.found <- all
	return nil
}

func (balancer) ReportError(error)                                    {}
func (balancer) NewAddress([]resolver.Address)                        {}
func (balancer) ParseServiceConfig(string) *serviceconfig.ParseResult { return nil }

// By default, gRPC also queries a TXT record for a service config, which takes seconds if the name
// server does not respond.
func TestServiceConfigIsNotQueried(t *testing.T) {
	dir := t.TempDir()
	if err := mtls.Issue(dir, "gateway"); err != nil {
		t.Fatal(err)
	}
	identity, err := mtls.Load(mtls.Files(dir, "gateway"))
	if err != nil {
		t.Fatal(err)
	}
	server := &names{addresses: [][4]byte{{127, 0, 0, 1}}, asked: make(chan dnsmessage.Type, 100)}
	conn, err := Dial("dns://"+server.serve(t)+"/auth.example.:1", "auth", identity)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// Nothing listens on the address, so the name is resolved a second time, after all queries of
	// the first resolution.
	conn.Connect()
	for addresses := 0; addresses < 2; {
		switch kind := <-server.asked; kind {
		case dnsmessage.TypeA:
			addresses++
		case dnsmessage.TypeTXT:
			t.Fatal("gRPC queried a service config")
		}
	}
}

func TestNewReplicaIsFoundPeriodically(t *testing.T) {
	server := &names{addresses: [][4]byte{{127, 0, 0, 1}}}
	target := resolver.Target{URL: url.URL{Scheme: "dns", Host: server.serve(t), Path: "/auth.example.:9101"}}
	callers := balancer{make(chan []string)}
	r, err := newResolver(10*time.Millisecond).Build(target, callers, resolver.BuildOptions{DisableServiceConfig: true})
	if err != nil {
		t.Fatal(err)
	}
	taken := make(chan struct{})
	defer func() {
		// Close returns only after the resolver's last update has been received.
		go func() { r.Close(); close(taken) }()
		for {
			select {
			case <-callers.found:
			case <-taken:
				return
			}
		}
	}()
	until := func(want ...string) {
		t.Helper()
		for found := range callers.found {
			if slices.Equal(found, want) {
				return
			}
		}
	}
	until("127.0.0.1:9101")
	server.set([4]byte{127, 0, 0, 1}, [4]byte{127, 0, 0, 2})
	until("127.0.0.1:9101", "127.0.0.2:9101")
}
