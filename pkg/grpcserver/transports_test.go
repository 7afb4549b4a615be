package grpcserver_test

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/status"
	"google.golang.org/protobuf/encoding/prototext"

	"vitae.internal/pkg/grpcx"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// asked is a part whose handlers are those of the test.
type asked struct {
	candidatev1.UnimplementedMeServiceServer
	candidatev1.UnimplementedResumeServiceServer
	// reached counts the calls that have come to a handler.
	reached  atomic.Int64
	me       func(context.Context, *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error)
	upload   func(grpc.ClientStreamingServer[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse]) error
	download func(grpc.ServerStreamingServer[candidatev1.DownloadResumeResponse]) error
}

func (a *asked) GetMe(ctx context.Context, r *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
	a.reached.Add(1)
	return a.me(ctx, r)
}

func (a *asked) UploadResume(s grpc.ClientStreamingServer[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse]) error {
	a.reached.Add(1)
	return a.upload(s)
}

func (a *asked) DownloadResume(_ *candidatev1.DownloadResumeRequest, s grpc.ServerStreamingServer[candidatev1.DownloadResumeResponse]) error {
	a.reached.Add(1)
	return a.download(s)
}

func (a *asked) register(r grpc.ServiceRegistrar) {
	candidatev1.RegisterMeServiceServer(r, a)
	candidatev1.RegisterResumeServiceServer(r, a)
}

// way is a transport to a part.
type way struct {
	*served
	part *asked
	near bool
}

// bare is a connection without the interceptors of a client, so that nothing hides what the
// transport itself answers.
func (w way) bare(caller string) grpc.ClientConnInterface {
	w.t.Helper()
	creds := w.identity(caller).Client("candidate")
	if w.near {
		conn := w.process.Dial("candidate", creds)
		w.t.Cleanup(func() { _ = conn.Close() })
		return conn
	}
	conn, err := grpc.NewClient(w.addr, grpc.WithTransportCredentials(creds), grpc.WithMaxHeaderListSize(grpcx.MaxHeaderList),
		grpc.WithDefaultCallOptions(grpc.MaxCallRecvMsgSize(grpcx.MaxMessage), grpc.MaxCallSendMsgSize(grpcx.MaxMessage)))
	if err != nil {
		w.t.Fatal(err)
	}
	w.t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// conn is a connection as parts have it.
func (w way) conn(caller string, more ...grpcx.Option) grpcx.Conn {
	w.t.Helper()
	if w.near {
		return w.served.near(caller, more...)
	}
	return w.wire(caller, more...)
}

// equally runs a story over the wire and in the process, on a server of its own each, and
// holds what the stories tell equal. want is what they must tell; a story may tell nothing,
// and fail by itself.
func equally(t *testing.T, want string, story func(*testing.T, way) string) {
	t.Helper()
	told := map[bool]string{}
	for _, near := range []bool{false, true} {
		t.Run(map[bool]string{false: "wire", true: "process"}[near], func(t *testing.T) {
			part := &asked{}
			told[near] = story(t, way{serve(t, part), part, near})
		})
	}
	if told[false] != want {
		t.Errorf("over the wire: %s\nwant %s", told[false], want)
	}
	if told[true] != told[false] {
		t.Errorf("in the process: %s\nover the wire: %s", told[true], told[false])
	}
}

// patience bounds a story that would hang if a promise were broken.
const patience = 20 * time.Second

// within is a context for a story, with the principal that the methods of asked need.
func within(t *testing.T) context.Context {
	ctx, cancel := context.WithTimeout(asReader(t.Context()), patience)
	t.Cleanup(cancel)
	return ctx
}

// answered is an answer that names somebody.
func answered(name string) *candidatev1.GetMeResponse {
	return &candidatev1.GetMeResponse{User: &candidatev1.SignedInUser{Name: name}}
}

// statusText is a status to the last detail.
func statusText(err error) string {
	s := status.Convert(err)
	text := fmt.Sprintf("%v %q", s.Code(), s.Message())
	for _, d := range s.Proto().GetDetails() {
		m, err := d.UnmarshalNew()
		if err != nil {
			return err.Error()
		}
		// Its spaces differ from build to build.
		text += " " + strings.Join(strings.Fields(prototext.MarshalOptions{}.Format(m)), " ")
	}
	return text
}

// metadataText is metadata without what gRPC adds for its own use.
func metadataText(md metadata.MD) string {
	var out []string
	for _, key := range slices.Sorted(maps.Keys(md)) {
		switch key {
		case ":authority", "content-type", "user-agent", "grpc-accept-encoding", "grpc-status-details-bin":
			continue
		}
		out = append(out, fmt.Sprintf("%s=%q", key, md[key]))
	}
	return strings.Join(out, " ")
}
