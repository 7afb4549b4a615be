package grpcserver_test

import (
	"context"
	"log/slog"
	"strings"
	"testing"

	"google.golang.org/grpc"

	"vitae.internal/pkg/audit"
	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcserver/servertest"
	"vitae.internal/pkg/id"
	authv1 "vitae.internal/proto/gen/vitae/auth/v1"
)

// readStream is an audited streaming service. It sends one message unless silent is set, and
// returns the result of end.
type readStream struct {
	authv1.UnimplementedPersonDataServiceServer
	silent bool
	end    func(stream context.Context) error
}

func (p *readStream) ReadPersonData(_ *authv1.ReadPersonDataRequest, stream grpc.ServerStreamingServer[authv1.ReadPersonDataResponse]) error {
	if !p.silent {
		if err := stream.Send(&authv1.ReadPersonDataResponse{}); err != nil {
			return err
		}
	}
	return p.end(stream.Context())
}

// strictRecorder fails if the context has been canceled, as a database does.
type strictRecorder struct{ recorder }

func (r *strictRecorder) Record(ctx context.Context, e audit.Event) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	return r.recorder.Record(ctx, e)
}

// lineChannel is a writer that sends each log line to the channel.
type lineChannel chan string

func (l lineChannel) Write(line []byte) (int, error) {
	l <- string(line)
	return len(line), nil
}

// behaviour: audit#when-an-event-is-written
func TestAbandonedStreamIsRecorded(t *testing.T) {
	left := func(stream context.Context) error { <-stream.Done(); return stream.Err() }
	for name, tc := range map[string]struct {
		readStream readStream
		code       string
		event      bool
	}{
		"after the last message": {readStream{end: func(stream context.Context) error { _ = left(stream); return nil }}, "OK", true},
		"in the middle":          {readStream{end: left}, "Canceled", true},
		"before the first":       {readStream{silent: true, end: left}, "Canceled", false},
	} {
		r, log := &strictRecorder{}, make(lineChannel, 64)
		dir := servertest.Certificates(t, "auth", "candidate")
		started := make(chan struct{})
		end := tc.readStream.end
		tc.readStream.end = func(stream context.Context) error { close(started); return end(stream) }
		logger := slog.New(slog.NewTextHandler(log, &slog.HandlerOptions{Level: slog.LevelDebug}))
		addr := servertest.Serve(t, servertest.Identity(t, dir, "auth"), logger, func(s grpc.ServiceRegistrar) {
			authv1.RegisterPersonDataServiceServer(s, &tc.readStream)
		}, grpcserver.WithAudit(r))
		ctx, leave := context.WithCancel(t.Context())
		stream, err := authv1.NewPersonDataServiceClient(servertest.Dial(t, addr, "auth", servertest.Identity(t, dir, "candidate"))).
			ReadPersonData(ctx, &authv1.ReadPersonDataRequest{PersonId: id.New("usr")})
		if err == nil && !tc.readStream.silent {
			_, err = stream.Recv()
		}
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		<-started
		leave()
		var line string
		for line = range log { // the log line of the call comes last
			if strings.Contains(line, "method=/vitae.auth.v1.PersonDataService/ReadPersonData") && (strings.Contains(line, "msg=\"call") || strings.Contains(line, "msg=call ")) {
				break
			}
		}
		if !strings.Contains(line, "level=DEBUG") || !strings.Contains(line, "code="+tc.code+" ") {
			t.Errorf("%s: logged %s", name, line)
		}
		if got := r.taken(); (len(got) == 1) != tc.event || tc.event && got[0].Action != "person.export" {
			t.Errorf("%s: the events are %+v", name, got)
		}
	}
}

func TestStreamFailsIfItCannotBeRecorded(t *testing.T) {
	dir := servertest.Certificates(t, "auth", "candidate")
	addr := servertest.Serve(t, servertest.Identity(t, dir, "auth"), quiet, func(s grpc.ServiceRegistrar) {
		authv1.RegisterPersonDataServiceServer(s, &readStream{end: func(context.Context) error { return nil }})
	}, grpcserver.WithAudit(&recorder{fails: context.DeadlineExceeded}))
	stream, err := authv1.NewPersonDataServiceClient(servertest.Dial(t, addr, "auth", servertest.Identity(t, dir, "candidate"))).
		ReadPersonData(t.Context(), &authv1.ReadPersonDataRequest{PersonId: id.New("usr")})
	for err == nil {
		_, err = stream.Recv()
	}
	if errs.KindOf(err) != errs.Unavailable {
		t.Errorf("the stream failed with %v, want Unavailable", err)
	}
}
