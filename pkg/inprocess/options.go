package inprocess

import (
	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"
)

// options are where a caller wants what comes back beside the answer.
type options struct {
	header, trailer []*metadata.MD
	callee          []*peer.Peer
}

// optionsOf reads the options of a call. One that it does not know fails the call: the wire
// would have followed it.
func optionsOf(given []grpc.CallOption) (o options, err error) {
	for _, one := range given {
		switch one := one.(type) {
		case grpc.HeaderCallOption:
			o.header = append(o.header, one.HeaderAddr)
		case grpc.TrailerCallOption:
			o.trailer = append(o.trailer, one.TrailerAddr)
		case grpc.PeerCallOption:
			o.callee = append(o.callee, one.PeerAddr)
		case grpc.StaticMethodCallOption, grpc.EmptyCallOption:
			// They change nothing here.
		default:
			return o, status.Errorf(codes.Internal, "inprocess: calls have no option %T", one)
		}
	}
	return o, nil
}

// met tells who is called.
func (o options) met(callee peer.Peer) {
	for _, into := range o.callee {
		*into = callee
	}
}

// told gives what came back beside the answer, once the call is over.
func (o options) told(r *replies) {
	for _, into := range o.header {
		*into = r.headerNow()
	}
	for _, into := range o.trailer {
		*into = r.trailerNow()
	}
}
