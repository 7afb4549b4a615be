package daemon

import (
	"fmt"
	"slices"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/rpcmetrics"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// expectCalls creates client-side counters for the methods of a service that the holder of the
// identity may call. The contracts list the callers of every method.
func expectCalls(service string, identity *mtls.Identity) {
	own, _ := identity.Certificates()
	caller := mtls.CallerName(own)
	in := protoreflect.FullName("vitae." + service + ".v1")
	protoregistry.GlobalFiles.RangeFilesByPackage(in, func(file protoreflect.FileDescriptor) bool {
		for i := range file.Services().Len() {
			methods := file.Services().Get(i).Methods()
			for j := range methods.Len() {
				m := methods.Get(j)
				access, _ := proto.GetExtension(m.Options(), optionsv1.E_Access).(*optionsv1.Access)
				if slices.Contains(access.GetCallers(), caller) {
					rpcmetrics.Client.Expect(fmt.Sprintf("/%s/%s", m.Parent().FullName(), m.Name()), rpcmetrics.KindOf(m.IsStreamingClient(), m.IsStreamingServer()))
				}
			}
		}
		return true
	})
}
