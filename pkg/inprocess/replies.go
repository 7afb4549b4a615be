package inprocess

import (
	"context"
	"encoding/base64"
	"errors"
	"sync"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/grpcx"
)

// replies are what a server answers beside messages: header, trailer and status.
type replies struct {
	method string

	mu              sync.Mutex
	header, trailer metadata.MD
	// headerSent says that the header can no longer change, over that nothing can. sent is
	// closed with the first, if it is there.
	headerSent, over bool
	sent             chan struct{}
}

var _ grpc.ServerTransportStream = (*replies)(nil)

var errHeaderSent = errors.New("transport: SendHeader called multiple times")

// Method implements grpc.ServerTransportStream.
func (r *replies) Method() string { return r.method }

// SetHeader implements grpc.ServerTransportStream.
func (r *replies) SetHeader(md metadata.MD) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(md) == 0 {
		return nil
	}
	if r.headerSent || r.over {
		return errHeaderSent
	}
	r.header = metadata.Join(r.header, md)
	return nil
}

// SendHeader implements grpc.ServerTransportStream.
func (r *replies) SendHeader(md metadata.MD) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.headerSent || r.over {
		return errHeaderSent
	}
	r.header = metadata.Join(r.header, md)
	r.sendHeaderLocked()
	return nil
}

func (r *replies) sendHeaderLocked() {
	if r.headerSent {
		return
	}
	r.headerSent = true
	if r.sent != nil {
		close(r.sent)
	}
}

// sendHeader closes the header, as the first message does.
func (r *replies) sendHeader() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sendHeaderLocked()
}

func (r *replies) hasHeader() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.headerSent
}

// headerNow and trailerNow give what is there; a trailer is there at the end.
func (r *replies) headerNow() metadata.MD {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.header.Copy()
}

func (r *replies) trailerNow() metadata.MD {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !r.over {
		return nil
	}
	return r.trailer.Copy()
}

// SetTrailer implements grpc.ServerTransportStream.
func (r *replies) SetTrailer(md metadata.MD) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(md) == 0 {
		return nil
	}
	if r.over {
		return errHeaderSent
	}
	r.trailer = metadata.Join(r.trailer, md)
	return nil
}

// end closes the header and the trailer, and gives the status of the call as the caller gets
// it: a copy, of which nothing but code, message and details is left.
func (r *replies) end(err error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.sendHeaderLocked()
	r.over = true
	s := statusOf(err)
	if sizeOf(r.trailer)+detailsSize(s) > grpcx.MaxHeaderList {
		r.trailer = nil
		s = status.New(codes.Internal, "stream terminated by RST_STREAM with error code: INTERNAL_ERROR")
	}
	return s.Err()
}

// statusOf is what an error becomes on its way over the wire.
func statusOf(err error) *status.Status {
	if err == nil {
		return nil
	}
	s, is := status.FromError(err)
	if !is {
		s = status.New(codes.Unknown, err.Error())
		if errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
			s = status.FromContextError(err)
		}
	}
	sent := s.Proto()                           // a copy
	sent.Message = string([]rune(sent.Message)) // what is no UTF-8 cannot be sent
	return status.FromProto(sent)
}

// detailsSize is the size of a status with details in a trailer.
func detailsSize(s *status.Status) int {
	if s == nil || len(s.Proto().GetDetails()) == 0 {
		return 0
	}
	return base64.RawStdEncoding.EncodedLen(proto.Size(s.Proto()))
}
