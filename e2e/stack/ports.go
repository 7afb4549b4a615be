package stack

import (
	"fmt"
	"net"
	"strconv"
)

// replicaStep is the distance between the ports of two edge replicas.
const replicaStep = 100

// ports hands out loopback ports that nobody listens on, each of which also has
// free ports for the replicas after it.
type ports struct {
	taken map[int]bool
}

// next returns a port p such that p, p+100, … for the given number of replicas
// are free and were not handed out before.
func (p *ports) next(replicas int) (int, error) {
	for range 200 {
		first, err := free("127.0.0.1:0")
		if err != nil {
			return 0, err
		}
		if p.take(first, replicas) {
			return first, nil
		}
	}
	return 0, fmt.Errorf("no free ports for %d replicas", replicas)
}

func (p *ports) take(first, replicas int) bool {
	for i := range replicas {
		port := first + i*replicaStep
		if p.taken[port] || port > 65535 {
			return false
		}
		if i > 0 {
			if _, err := free(address(port)); err != nil {
				return false
			}
		}
	}
	for i := range replicas {
		p.taken[first+i*replicaStep] = true
	}
	return true
}

func free(addr string) (int, error) {
	l, err := net.Listen("tcp4", addr)
	if err != nil {
		return 0, err
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port, nil
}

func address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
