package inprocess

import (
	"context"
	"encoding/base64"
	"strings"

	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/grpcx"
)

// outgoing gives a copy of the metadata that the wire would carry. What it would refuse is
// refused.
func outgoing(ctx context.Context) (metadata.MD, error) {
	md, _ := metadata.FromOutgoingContext(ctx)
	for key, values := range md {
		if reserved(key) {
			delete(md, key)
			continue
		}
		if !validKey(key) {
			return nil, status.Errorf(codes.Internal, "header key %q contains illegal characters not in [0-9a-z-_.]", key)
		}
		if !strings.HasSuffix(key, "-bin") && !printable(values) {
			return nil, status.Errorf(codes.Internal, "header key %q contains value with non-printable ASCII characters", key)
		}
	}
	if sizeOf(md) > grpcx.MaxHeaderList {
		return nil, status.Errorf(codes.Internal, "header list size to send violates the maximum size (%d bytes) set by server", grpcx.MaxHeaderList)
	}
	return md, nil
}

// reserved reports whether gRPC itself has the key, and sends no value of a caller.
func reserved(key string) bool {
	if key == "" {
		return false
	}
	switch key {
	case "content-type", "user-agent", "te":
		return true
	}
	return key[0] == ':' || strings.HasPrefix(key, "grpc-")
}

func validKey(key string) bool {
	for i := range len(key) {
		c := key[i]
		if (c < 'a' || c > 'z') && (c < '0' || c > '9') && c != '.' && c != '-' && c != '_' {
			return false
		}
	}
	return key != ""
}

func printable(values []string) bool {
	for _, v := range values {
		for i := range len(v) {
			if v[i] < 0x20 || v[i] > 0x7e {
				return false
			}
		}
	}
	return true
}

// sizeOf is the size of a list of headers as HTTP/2 counts it (RFC 9113 §6.5.2).
func sizeOf(md metadata.MD) (n int) {
	for key, values := range md {
		for _, v := range values {
			length := len(v)
			if strings.HasSuffix(key, "-bin") {
				length = base64.RawStdEncoding.EncodedLen(length)
			}
			n += len(key) + length + 32
		}
	}
	return n
}
