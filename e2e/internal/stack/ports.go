package stack

import (
	"fmt"
	"math/rand/v2"
	"net"
	"strconv"
	"sync"
)

// replicaStep is the distance between the ports of two edge replicas.
const replicaStep = 100

// The ports are taken from below the range that the kernel gives to outgoing
// connections (net.ipv4.ip_local_port_range): one of those could take a port
// between two starts of a stack.
const (
	lowestPort  = 12000
	highestPort = 32000
)

// ports hands out loopback ports that nobody listens on, each of which also has
// free ports for the replicas after it.
type ports struct {
	mu    sync.Mutex
	taken map[int]bool
}

var shared = ports{taken: map[int]bool{}}

// FreeAddress is a loopback address that nobody listens on and no stack of ours
// will take.
func FreeAddress() (string, error) {
	port, err := shared.next(1)
	return address(port), err
}

// next returns a port p such that p, p+100, … for the given number of replicas
// are free and were not handed out before.
func (p *ports) next(replicas int) (int, error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for range 1000 {
		if first := lowestPort + rand.IntN(highestPort-lowestPort); p.take(first, replicas) {
			return first, nil
		}
	}
	return 0, fmt.Errorf("no free ports for %d replicas", replicas)
}

func (p *ports) take(first, replicas int) bool {
	for i := range replicas {
		port := first + i*replicaStep
		if p.taken[port] || !free(port) {
			return false
		}
	}
	for i := range replicas {
		p.taken[first+i*replicaStep] = true
	}
	return true
}

func free(port int) bool {
	l, err := net.Listen("tcp4", address(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
