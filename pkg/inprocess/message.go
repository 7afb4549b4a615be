package inprocess

import (
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/encoding"
	"google.golang.org/grpc/encoding/proto"
	"google.golang.org/grpc/mem"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/grpcx"
)

// codec is the one of the wire. A message crosses as its bytes, so the sides share nothing, and
// what could not be sent over the wire cannot be sent here.
var codec = encoding.GetCodecV2(proto.Name)

// encode gives the bytes of a message, within the limit of the wire.
func encode(m any) (mem.BufferSlice, error) {
	raw, err := codec.Marshal(m)
	if err != nil {
		return nil, status.Errorf(codes.Internal, "grpc: error while marshaling: %v", err)
	}
	if n := raw.Len(); n > grpcx.MaxMessage {
		raw.Free()
		return nil, status.Errorf(codes.ResourceExhausted, "trying to send message larger than max (%d vs. %d)", n, grpcx.MaxMessage)
	}
	return raw, nil
}
