package grpcx

import (
	"context"
	"fmt"
	"slices"

	"google.golang.org/grpc"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/peer"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"

	"vitae.internal/pkg/errs"
)

// accessTable says for each full method name which callers may call it.
type accessTable map[string][]string

// infrastructure services have no domain of their own: any part of the
// deployment may ask for health, and for reflection where it is registered.
var infrastructure = []string{"grpc.health.v1.Health", "grpc.reflection.v1.ServerReflection", "grpc.reflection.v1alpha.ServerReflection"}

// newAccessTable reads the access options of every method that s serves. A
// method without one is a fault of the build, found at the start.
func newAccessTable(s *grpc.Server) (accessTable, error) {
	table := accessTable{}
	for name := range s.GetServiceInfo() {
		if slices.Contains(infrastructure, name) {
			continue
		}
		d, err := protoregistry.GlobalFiles.FindDescriptorByName(protoreflect.FullName(name))
		if err != nil {
			return nil, fmt.Errorf("grpcx: service %s: %w", name, err)
		}
		methods := d.(protoreflect.ServiceDescriptor).Methods()
		for i := range methods.Len() {
			m := methods.Get(i)
			access, _ := proto.GetExtension(m.Options(), optionsv1.E_Access).(*optionsv1.Access)
			if len(access.GetCallers()) == 0 {
				return nil, fmt.Errorf("grpcx: method %s names no callers", m.FullName())
			}
			table[fmt.Sprintf("/%s/%s", name, m.Name())] = access.GetCallers()
		}
	}
	return table, nil
}

// check refuses a caller that the method does not name. Methods that are not in
// the table belong to infrastructure services.
func (t accessTable) check(ctx context.Context, method string) error {
	allowed, listed := t[method]
	if !listed {
		return nil
	}
	if caller := Caller(ctx); !slices.Contains(allowed, caller) {
		return errs.New(errs.Denied, "CALLER_NOT_ALLOWED", "The caller %q may not call this method.", caller)
	}
	return nil
}

// Caller is the certificate name of the part that calls, empty if the
// connection carries none.
func Caller(ctx context.Context) string {
	p, ok := peer.FromContext(ctx)
	if !ok {
		return ""
	}
	info, ok := p.AuthInfo.(credentials.TLSInfo)
	if !ok || len(info.State.VerifiedChains) == 0 {
		return ""
	}
	names := info.State.VerifiedChains[0][0].DNSNames
	if len(names) != 1 {
		return ""
	}
	return names[0]
}
