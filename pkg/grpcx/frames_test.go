package grpcx_test

import (
	"context"
	"encoding/binary"
	"maps"
	"net"
	"sync"
	"testing"
	"testing/synctest"

	"google.golang.org/grpc/credentials"
)

// Types of frames (RFC 9113 §6).
const (
	frameData, frameHeaders, framePing, frameWindow = 0x0, 0x1, 0x6, 0x8
)

// preface is the length of what a client sends before its first frame (RFC 9113 §3.4), in bytes.
const preface = 24

// frames counts the frames of one direction by type, except for acknowledgements of settings and the
// like.
type frames struct {
	skip  int // bytes before the next header
	head  []byte
	types map[byte]int
}

func (f *frames) see(b []byte) {
	for len(b) > 0 {
		if n := min(f.skip, len(b)); n > 0 {
			f.skip, b = f.skip-n, b[n:]
			continue
		}
		n := min(9-len(f.head), len(b))
		f.head, b = append(f.head, b[:n]...), b[n:]
		if len(f.head) == 9 {
			f.types[f.head[3]]++
			f.skip = int(binary.BigEndian.Uint32(append([]byte{0}, f.head[:3]...)))
			f.head = f.head[:0]
		}
	}
}

// tap counts the decrypted frames between a caller and a service.
type tap struct {
	credentials.TransportCredentials
	mu             sync.Mutex
	written, taken frames
}

func (t *tap) Clone() credentials.TransportCredentials { return t }

func (t *tap) ClientHandshake(ctx context.Context, authority string, raw net.Conn) (net.Conn, credentials.AuthInfo, error) {
	conn, info, err := t.TransportCredentials.ClientHandshake(ctx, authority, raw)
	return tapped{conn, t}, info, err
}

// counts returns the numbers of written and received frames by type since the last call.
func (t *tap) counts() (written, taken map[byte]int) {
	t.mu.Lock()
	defer t.mu.Unlock()
	written, taken = maps.Clone(t.written.types), maps.Clone(t.taken.types)
	clear(t.written.types)
	clear(t.taken.types)
	return written, taken
}

type tapped struct {
	net.Conn
	*tap
}

func (c tapped) Write(b []byte) (int, error) {
	n, err := c.Conn.Write(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.written.see(b[:n])
	return n, err
}

func (c tapped) Read(b []byte) (int, error) {
	n, err := c.Conn.Read(b)
	c.mu.Lock()
	defer c.mu.Unlock()
	c.taken.see(b[:n])
	return n, err
}

// Other frames between two services would cost as much as a part of the calls.
func TestACallTakesFiveFrames(t *testing.T) {
	caller := &tap{written: frames{skip: preface, types: map[byte]int{}}, taken: frames{types: map[byte]int{}}}
	through := func(c credentials.TransportCredentials) credentials.TransportCredentials {
		caller.TransportCredentials = c
		return caller
	}
	connectedOver(t, through, func(n *network) {
		if err := n.check(); err != nil { // connects
			n.Fatal(err)
		}
		synctest.Wait() // until the connection is idle
		caller.counts()
		const calls = 100
		for range calls {
			if err := n.check(); err != nil {
				n.Fatal(err)
			}
		}
		synctest.Wait()
		written, taken := caller.counts()
		if want := map[byte]int{frameHeaders: calls, frameData: calls}; !maps.Equal(written, want) {
			n.Errorf("the caller has written frames %v, want %v (%d is a ping, %d a window update)", written, want, framePing, frameWindow)
		}
		if want := map[byte]int{frameHeaders: 2 * calls, frameData: calls}; !maps.Equal(taken, want) {
			n.Errorf("the service has written frames %v, want %v (%d is a ping, %d a window update)", taken, want, framePing, frameWindow)
		}
	})
}
