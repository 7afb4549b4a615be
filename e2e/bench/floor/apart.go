package main

import (
	"context"
	"encoding/json"
	"io"
	"net"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/credentials/insecure"
	"google.golang.org/protobuf/types/known/emptypb"
	"google.golang.org/protobuf/types/known/wrapperspb"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
)

// method is the one that the process behind serves. It takes nothing, and gives the row as
// JSON.
const method = "/floor.Reads/Read"

// behind and front are the certificates that the two processes use: those of parts that call
// each other.
const behind, front = "candidate", "gateway"

// serveBehind answers the calls of the process in front. Nothing but gRPC itself handles them.
func (s settings) serveBehind(ctx context.Context) error {
	row, err := s.rows(ctx)
	if err != nil {
		return err
	}
	secure, err := s.secure(behind, (*mtls.Identity).Server)
	if err != nil {
		return err
	}
	listener, err := net.Listen("tcp", s.Behind)
	if err != nil {
		return err
	}
	server := grpc.NewServer(grpc.Creds(secure), grpc.StaticStreamWindowSize(grpcx.StreamWindow), grpc.StaticConnWindowSize(grpcx.ConnWindow))
	read := func(_ any, ctx context.Context, decode func(any) error, _ grpc.UnaryServerInterceptor) (any, error) {
		if err := decode(&emptypb.Empty{}); err != nil {
			return nil, err
		}
		data, err := row(ctx)
		if err != nil {
			return nil, err
		}
		text, err := json.Marshal(data)
		return wrapperspb.Bytes(text), err
	}
	server.RegisterService(&grpc.ServiceDesc{
		ServiceName: "floor.Reads", HandlerType: (*any)(nil), Methods: []grpc.MethodDesc{{MethodName: "Read", Handler: read}},
	}, nil)
	return server.Serve(listener)
}

// serveFront answers requests with what the process behind answers.
func (s settings) serveFront() error {
	secure, err := s.secure(front, func(i *mtls.Identity) credentials.TransportCredentials { return i.Client(behind) })
	if err != nil {
		return err
	}
	conn, err := grpc.NewClient(s.Behind, grpc.WithTransportCredentials(secure), grpc.WithDisableServiceConfig(),
		grpc.WithStaticStreamWindowSize(grpcx.StreamWindow), grpc.WithStaticConnWindowSize(grpcx.ConnWindow))
	if err != nil {
		return err
	}
	return s.listen(func(ctx context.Context, w io.Writer) error {
		row := &wrapperspb.BytesValue{}
		if err := conn.Invoke(ctx, method, &emptypb.Empty{}, row); err != nil {
			return err
		}
		body := make([]byte, 0, len(row.GetValue())+64)
		body = append(append(append(body, `{"data":`...), row.GetValue()...), `,"error":null,"meta":null}`...)
		_, err := w.Write(body)
		return err
	})
}

// secure gives the transport of the named part, or one in the clear if there are no
// certificates.
func (s settings) secure(part string, of func(*mtls.Identity) credentials.TransportCredentials) (credentials.TransportCredentials, error) {
	if s.TLSDir == "" {
		return insecure.NewCredentials(), nil
	}
	identity, err := mtls.Load(mtls.Files(s.TLSDir, part))
	if err != nil {
		return nil, err
	}
	return of(identity), nil
}
