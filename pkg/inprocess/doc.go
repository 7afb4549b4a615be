// Package inprocess carries the calls between parts that run in one process. It takes the
// place of gRPC's transport, and of nothing else: the generated clients and servers, the
// interceptors of both sides, the codec and the certificates are those of the wire.
//
// What a caller sees is what it would see over the wire. A message crosses as its bytes, so
// neither side can change what the other has. The context of the server has the deadline,
// the cancellation and the metadata of the caller's, and none of its values. The caller is
// known by its certificate, which a TLS handshake in memory has checked. A call is answered
// when its deadline passes, also if the handler goes on. pkg/grpcserver has the tests that
// hold the two transports equal.
//
// What only HTTP/2 needs is missing: the metadata ":authority", "content-type" and
// "user-agent", compression, and pings. An option of a call that this package does not know
// fails the call. It must never pass over one.
package inprocess
