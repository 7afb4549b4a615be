// Package ports allocates loopback ports for tests that start programs and must be able to restart
// them on the same ports.
//
// It never returns ephemeral ports, which the kernel uses for outgoing connections: the kernel
// could assign such a port while the program is down.
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

// ReplicaStep is the distance between the ports of two gateway replicas.
const ReplicaStep = 100

// The ports are outside the ephemeral range (see the package comment) and divided into blocks. A
// test process owns one block, so that no other test process can take one of its ports while a
// program is down.
const (
	lowestPort  = 12_000
	highestPort = 65_535
	blockSize   = 500
	// MaxReplicas is the maximum number of replicas that fit in a block.
	MaxReplicas = blockSize / ReplicaStep
)

// kernelRange is the file that contains Linux's ephemeral port range.
const kernelRange = "/proc/sys/net/ipv4/ip_local_port_range"

// blocks returns the lowest port of each block outside the ephemeral range from low to high.
func blocks(low, high int) (first []int) {
	for at := lowestPort; at+blockSize-1 <= highestPort; at += blockSize {
		if at+blockSize <= low || at > high {
			first = append(first, at)
		}
	}
	return first
}

// outgoing returns the ephemeral port range.
func outgoing() (low, high int, err error) {
	raw, err := os.ReadFile(kernelRange)
	if err != nil {
		return 0, 0, fmt.Errorf("ports: %w", err)
	}
	if _, err := fmt.Sscan(string(raw), &low, &high); err != nil {
		return 0, 0, fmt.Errorf("ports: %s contains %q: %w", kernelRange, raw, err)
	}
	return low, high, nil
}

// allocator allocates the free ports in one block.
type allocator struct {
	mu    sync.Mutex
	lock  *os.File // lock on the block, held until the process exits
	first int      // lowest port of the block
	taken map[int]bool
}

var shared = allocator{taken: map[int]bool{}}

// FreeAddress returns a loopback address with a free port that no other test process gets.
func FreeAddress() (string, error) {
	port, err := Next(1)
	return Address(port), err
}

// Next returns a port p such that p, p+ReplicaStep, … for the given number of replicas (1 to
// MaxReplicas) are free and have not been returned before.
func Next(replicas int) (int, error) {
	if replicas < 1 || replicas > MaxReplicas {
		return 0, fmt.Errorf("ports: %d replicas, but only 1 to %d fit", replicas, MaxReplicas)
	}
	var after []int
	for i := 1; i < replicas; i++ {
		after = append(after, i*ReplicaStep)
	}
	return With(after...)
}

// With returns a port p such that p, and p plus each of the distances, are free and have not been
// returned before. Distances must be less than blockSize.
func With(distances ...int) (int, error) { return shared.with(append(distances, 0)) }

func (a *allocator) with(distances []int) (int, error) {
	farthest := slices.Max(distances)
	if farthest >= blockSize {
		return 0, fmt.Errorf("ports: distance %d, but the maximum is %d", farthest, blockSize-1)
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
	return 0, fmt.Errorf("ports: no free port with distances %v", distances)
}

// claim locks a block for this process. The lock is released when the process exits.
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
			continue // the lock file belongs to a different user
		}
		if syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB) == nil {
			a.lock, a.first = file, all[n]
			return nil
		}
		_ = file.Close()
	}
	return errors.New("ports: other test processes have taken all blocks")
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

// Address returns the loopback address with the given port.
func Address(port int) string { return net.JoinHostPort("127.0.0.1", strconv.Itoa(port)) }
