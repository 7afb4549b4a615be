package grpcserver_test

import (
	"fmt"
	"syscall"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/id"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// BenchmarkCall measures what a call for a person costs its caller and the part that is
// called together, in processor time, which depends less than a duration on what else the
// machine does. The method does nothing.
func BenchmarkCall(b *testing.B) {
	s := serve(b, forgetful{})
	for _, way := range []struct {
		name string
		conn grpc.ClientConnInterface
	}{{"wire", s.wire("gateway")}, {"process", s.near("gateway")}} {
		me := candidatev1.NewMeServiceClient(way.conn)
		for _, clients := range []int{1, 8} {
			b.Run(fmt.Sprint(way.name, "/", clients, " at a time"), func(b *testing.B) {
				b.ReportAllocs()
				b.SetParallelism(clients)
				before := processorMicros(b)
				b.RunParallel(func(pb *testing.PB) {
					for pb.Next() {
						ctx := grpcx.WithClientAddress(grpcx.WithRequestID(b.Context(), id.New("req")), "203.0.113.7")
						if _, err := me.GetMe(principal.NewContext(ctx, reader), &candidatev1.GetMeRequest{}); err != nil {
							b.Error(err)
						}
					}
				})
				b.ReportMetric((processorMicros(b)-before)/float64(b.N), "processor-µs/op")
			})
		}
	}
}

// reader is a principal as large as they usually are.
var reader = &identityv1.Principal{
	Kind: identityv1.CredentialKind_CREDENTIAL_KIND_ACCESS_TOKEN, AccountId: id.New("dev"), AppId: id.New("app"),
	Scopes: []string{"profile", "email", "phone", "cv:read"}, ConnectionId: id.New("con"), PersonId: id.New("usr"),
	GrantedScopes: []string{"profile", "email", "phone", "cv:read"}, CvId: id.New("cv"), SharePhoto: true, CvLinkId: id.New("lnk"),
	CvLinkUrl: "https://api.vitae.example/v1/cv-links/" + id.New("lnk") + id.New("lnk") + id.New("lnk"),
	PhotoUrl:  "https://api.vitae.example/v1/photos/" + id.New("pho") + id.New("pho") + id.New("pho"),
}

// processorMicros is the processor time of this process, user and system.
func processorMicros(b *testing.B) float64 {
	b.Helper()
	var used syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &used); err != nil {
		b.Fatal(err)
	}
	return float64(used.Utime.Sec+used.Stime.Sec)*1e6 + float64(used.Utime.Usec+used.Stime.Usec)
}
