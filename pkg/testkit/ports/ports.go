// Package ports hands out loopback ports to tests that start programs, which must
// listen on the same ports again after they were down for a while.
//
// It must never hand out a port from which the kernel takes ports for outgoing
// connections: such a port may be taken while the program is down.
package ports

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"sync"
	"syscall"
)

// ReplicaStep is the distance between the ports of two replicas of the gateway.
const ReplicaStep = 100

// The ports are outside the range from which the kernel takes ports for outgoing
// connections, because one of those could take a port while a stack is down. They are
// divided into blocks, of which a test process has one for itself, so that no stack of
// another test process takes a port meanwhile either.
const (
	lowestPort  = 12_000
	highestPort = 65_535
	blockSize   = 500
	// MaxReplicas is how many replicas have room in a block.
	MaxReplicas = blockSize / ReplicaStep
)

// kernelRange is where Linux says from which ports outgoing connections take theirs.
const kernelRange = "/proc/sys/net/ipv4/ip_local_port_range"

// blocks are the lowest ports of the blocks outside the kernel's range, which is from
// low to high.
func blocks(low, high int) (first []int) {
	for at := lowestPort; at+blockSize-1 <= highestPort; at += blockSize {
		if at+blockSize <= low || at > high {
			first = append(first, at)
		}
	}
	return first
}

// outgoing reads the kernel's range.
func outgoing() (low, high int, err error) {
	raw, err := os.ReadFile(kernelRange)
	if err != nil {
		return 0, 0, fmt.Errorf("ports: %w", err)
	}
	if _, err := fmt.Sscan(string(raw), &low, &high); err != nil {
		return 0, 0, fmt.Errorf("ports: %s says %q: %w", kernelRange, raw, err)
	}
	return low, high, nil
}

// allocator hands out ports that nobody listens on.
type allocator struct {
	mu    sync.Mutex
	lock  *os.File // of the block; held until the process ends
	first int      // the lowest port of the block
	taken map[int]bool
}

var shared = allocator{taken: map[int]bool{}}

// FreeAddress is a loopback address that nobody listens on, and that no other test
// process is given.
func FreeAddress() (string, error) {
	port, err := Next(1)
	return Address(port), err
}

// Next returns a port p such that p, p+ReplicaStep, … for the given number of
// replicas, at most MaxReplicas, are free and were not handed out before.
func Next(replicas int) (int, error) {
	if replicas < 1 || replicas > MaxReplicas {
		return 0, fmt.Errorf("ports: %d replicas: there is room for 1 to %d", replicas, MaxReplicas)
	}
	var after []int
	for i := 1; i < replicas; i++ {
		after = append(after, i*ReplicaStep)
	}
	return With(after...)
}

// With returns a port p such that p and p plus each of the distances, which are less than
// blockSize, are free and were not handed out before.
func With(distances ...int) (int, error) { return shared.with(append(distances, 0)) }

func (a *allocator) with(distances []int) (int, error) {
	farthest := slices.Max(distances)
	if farthest >= blockSize {
		return 0, fmt.Errorf("ports: a distance of %d: there is room for %d", farthest, blockSize-1)
	}
	a.mu.Lock()
	defer a.mu.Unlock()
	if err := a.claim(); err != nil {
		return 0, err
	}
	for range 1000 {
		if first := a.first + rand.IntN(blockSize-farthest); a.take(first, distances) {
			return first, nil
		}
	}
	return 0, fmt.Errorf("ports: none is free with those at the distances %v", distances)
}

// claim makes a block the process's own, by a lock that ends with the process.
func (a *allocator) claim() error {
	if a.lock != nil {
		return nil
	}
	low, high, err := outgoing()
	if err != nil {
		return err
	}
	all := blocks(low, high)
	for _, n := range rand.Perm(len(all)) {
		name := filepath.Join(os.TempDir(), fmt.Sprintf("vitae-e2e-ports-%d.lock", (all[n]-lowestPort)/blockSize))
		file, err := os.OpenFile(name, os.O_CREATE|os.O_RDWR, 0o600)
		if err != nil {
			continue // the block is another user's
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			a.lock, a.first = file, all[n]
			return nil
		}
		_ = file.Close()
	}
	return errors.New("other test processes have taken all blocks of ports")
}

func (a *allocator) take(first int, distances []int) bool {
	for _, distance := range distances {
		if port := first + distance; a.taken[port] || !free(port) {
			return false
		}
	}
	for _, distance := range distances {
		a.taken[first+distance] = true
	}
	return true
}

func free(port int) bool {
	l, err := net.Listen("tcp4", Address(port))
	if err != nil {
		return false
	}
	return l.Close() == nil
}

// Address is the loopback address of a port.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
