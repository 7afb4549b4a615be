package grpcserver_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"testing"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/reflection/grpc_reflection_v1"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/grpcx"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

type (
	uploads   = grpc.ClientStreamingServer[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse]
	downloads = grpc.ServerStreamingServer[candidatev1.DownloadResumeResponse]
)

// all reads an upload to its end.
func all(s uploads) error {
	size := 0
	for {
		piece, err := s.Recv()
		if errors.Is(err, io.EOF) {
			return s.SendAndClose(&candidatev1.UploadResumeResponse{Size: int32(size)})
		}
		if err != nil {
			return err
		}
		size += len(piece.GetChunk())
	}
}

func TestAnUploadIsAnsweredInTheProcessAsOverTheWire(t *testing.T) {
	for name, c := range map[string]struct {
		upload  func(uploads) error
		caller  string
		pieces  int
		size    int
		want    string
		cutOff  bool // the caller has to notice by itself that nobody reads
		tooMuch bool
	}{
		"nothing":                    {upload: all, want: `OK "" 0 bytes`},
		"more than fits the window":  {upload: all, pieces: 9, size: 1 << 20, want: `OK "" 9437184 bytes`},
		"a piece beyond the limit":   {upload: all, pieces: 1, size: grpcx.MaxMessage, tooMuch: true, want: `sending ResourceExhausted`},
		"a refusal before a piece":   {upload: func(uploads) error { return refused }, pieces: 100, size: 1 << 20, cutOff: true, want: statusText(grpcx.ToStatus(refused)) + " 0 bytes"},
		"an end without an answer":   {upload: func(uploads) error { return nil }, want: `Internal "cardinality violation: received no response message from non-server-streaming RPC" 0 bytes`},
		"a panic":                    {upload: func(uploads) error { panic("a secret") }, want: `Internal "internal error" 0 bytes`},
		"a caller that may not call": {caller: "cvrender", want: `PermissionDenied "The caller \"cvrender\" may not call this method." reason:"CALLER_NOT_ALLOWED" domain:"vitae" 0 bytes`},
	} {
		t.Run(name, func(t *testing.T) {
			equally(t, c.want, func(t *testing.T, w way) string {
				w.part.upload = c.upload
				caller := c.caller
				if caller == "" {
					caller = "vitaectl"
				}
				s, err := candidatev1.NewResumeServiceClient(w.bare(caller)).UploadResume(within(t))
				if err != nil {
					t.Fatal(err)
				}
				for range c.pieces {
					err := s.Send(chunk(c.size))
					switch {
					case c.tooMuch:
						return "sending " + status.Code(err).String()
					case errors.Is(err, io.EOF) && c.cutOff:
					case err != nil:
						t.Fatal(err)
					}
				}
				got, err := s.CloseAndRecv()
				return fmt.Sprintf("%s %d bytes", statusText(err), got.GetSize())
			})
		})
	}
}

func TestADownloadIsAnsweredInTheProcessAsOverTheWire(t *testing.T) {
	pieces := func(n, size int, end error) func(downloads) error {
		return func(s downloads) error {
			_ = s.SetHeader(metadata.Pairs("x-head", "a"))
			s.SetTrailer(metadata.Pairs("x-tail", "b"))
			for range n {
				if err := s.Send(&candidatev1.DownloadResumeResponse{Piece: &candidatev1.DownloadResumeResponse_Chunk{Chunk: make([]byte, size)}}); err != nil {
					return err
				}
			}
			return end
		}
	}
	for name, c := range map[string]struct {
		download func(downloads) error
		want     string
	}{
		"nothing":                        {pieces(0, 0, nil), `OK "" 0 pieces of 0 bytes, header x-head=["a"] trailer x-tail=["b"]`},
		"more than fits the window":      {pieces(9, 1<<20, nil), `OK "" 9 pieces of 9437184 bytes, header x-head=["a"] trailer x-tail=["b"]`},
		"a fault in the middle":          {pieces(3, 10, refused), statusText(grpcx.ToStatus(refused)) + ` 3 pieces of 30 bytes, header x-head=["a"] trailer x-tail=["b"]`},
		"a fault of ours":                {pieces(1, 10, errors.New("a secret")), `Internal "internal error" 1 pieces of 10 bytes, header x-head=["a"] trailer x-tail=["b"]`},
		"a piece beyond the limit":       {pieces(1, grpcx.MaxMessage, nil), `ResourceExhausted "trying to send message larger than max (10485765 vs. 10485760)" 0 pieces of 0 bytes, header x-head=["a"] trailer x-tail=["b"]`},
		"a panic":                        {func(downloads) error { panic("a secret") }, `Internal "internal error" 0 pieces of 0 bytes, header  trailer `},
		"a header ahead of the messages": {func(s downloads) error { return errors.Join(s.SendHeader(metadata.Pairs("x-head", "a"))) }, `OK "" 0 pieces of 0 bytes, header x-head=["a"] trailer `},
	} {
		t.Run(name, func(t *testing.T) {
			equally(t, c.want, func(t *testing.T, w way) string {
				w.part.download = c.download
				s, err := candidatev1.NewResumeServiceClient(w.bare("gateway")).DownloadResume(within(t), &candidatev1.DownloadResumeRequest{Query: "q"})
				if err != nil {
					t.Fatal(err)
				}
				n, size := 0, 0
				for {
					var piece *candidatev1.DownloadResumeResponse
					if piece, err = s.Recv(); err != nil {
						break
					}
					n, size = n+1, size+len(piece.GetChunk())
				}
				if errors.Is(err, io.EOF) {
					err = nil
				}
				header, _ := s.Header()
				return fmt.Sprintf("%s %d pieces of %d bytes, header %s trailer %s", statusText(err), n, size, metadataText(header), metadataText(s.Trailer()))
			})
		})
	}
}

func TestAStreamThatIsRefusedBeforeItsMessagesIsSoInTheProcessAsOverTheWire(t *testing.T) {
	for method, want := range map[string]string{
		"DownloadResume": "sending <nil>, then PermissionDenied",
		"UploadResume":   "sending EOF, then PermissionDenied",
	} {
		t.Run(method, func(t *testing.T) {
			equally(t, want, func(t *testing.T, w way) string {
				desc := &grpc.StreamDesc{ClientStreams: method == "UploadResume", ServerStreams: method == "DownloadResume"}
				s, err := w.bare("cvrender").NewStream(within(t), desc, "/vitae.candidate.v1.ResumeService/"+method)
				if err != nil {
					t.Fatal(err)
				}
				_, _ = s.Header() // waits until the server has answered
				sent := s.SendMsg(&candidatev1.DownloadResumeRequest{Query: "q"})
				return fmt.Sprintf("sending %v, then %v", sent, status.Code(s.RecvMsg(&candidatev1.DownloadResumeResponse{})))
			})
		})
	}
}

func TestAStreamEndsForBothWhenItsCallerLeavesInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "the server reads Canceled, writes Canceled, and ends; the caller reads Canceled", func(t *testing.T, w way) string {
		entered, told := make(chan struct{}), make(chan string, 1)
		w.part.download = func(s downloads) error {
			close(entered)
			var err error
			for err == nil { // until the window is full, if it is not over before
				err = s.Send(&candidatev1.DownloadResumeResponse{Piece: &candidatev1.DownloadResumeResponse_Chunk{Chunk: make([]byte, 64<<10)}})
			}
			<-s.Context().Done()
			told <- fmt.Sprintf("writes %v, and ends", status.Code(err))
			return err
		}
		read := make(chan string, 1)
		w.part.upload = func(s uploads) error {
			var err error
			for err == nil {
				_, err = s.Recv()
			}
			read <- fmt.Sprintf("the server reads %v", status.Code(err))
			return err
		}
		ctx, leave := context.WithCancel(within(t))
		up, err := candidatev1.NewResumeServiceClient(w.bare("vitaectl")).UploadResume(ctx)
		if err != nil {
			t.Fatal(err)
		}
		if err := up.Send(chunk(1)); err != nil {
			t.Fatal(err)
		}
		down, err := candidatev1.NewResumeServiceClient(w.bare("gateway")).DownloadResume(ctx, &candidatev1.DownloadResumeRequest{Query: "q"})
		if err != nil {
			t.Fatal(err)
		}
		<-entered
		leave()
		for err == nil {
			_, err = down.Recv()
		}
		return fmt.Sprintf("%s, %s; the caller reads %v", <-read, <-told, status.Code(err))
	})
}

// half starts an upload, waits until the handler has its first message, ends it, and gives what
// the handler reads then.
func half(t *testing.T, w way, end func(leave func(), up grpc.ClientStreamingClient[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse])) error {
	t.Helper()
	entered, read := make(chan struct{}), make(chan error, 1)
	w.part.upload = func(s uploads) error {
		_, err := s.Recv()
		close(entered)
		for err == nil {
			_, err = s.Recv()
		}
		read <- err
		return err
	}
	ctx, leave := context.WithCancel(within(t))
	defer leave()
	up, err := candidatev1.NewResumeServiceClient(w.bare("vitaectl")).UploadResume(ctx)
	if err != nil {
		t.Fatal(err)
	}
	if err := up.Send(chunk(1)); err != nil {
		t.Fatal(err)
	}
	<-entered
	end(leave, up)
	return <-read
}

func TestAnUploadThatIsCutIsNotTakenForTheWholeInTheProcessEither(t *testing.T) {
	for range 10 {
		equally(t, "Canceled", func(t *testing.T, w way) string {
			return status.Code(half(t, w, func(func(), grpc.ClientStreamingClient[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse]) {
				w.cut()
			})).String()
		})
	}
}

// Over the wire the end of the messages may overtake the caller's leaving.
func TestAnUploadWhoseCallerHasLeftIsNotTakenForTheWholeInTheProcess(t *testing.T) {
	part := &asked{}
	w := way{serve(t, part), part, true}
	for range 200 {
		err := half(t, w, func(leave func(), up grpc.ClientStreamingClient[candidatev1.UploadResumeRequest, candidatev1.UploadResumeResponse]) {
			leave()
			_ = up.CloseSend()
		})
		if status.Code(err) != codes.Canceled {
			t.Fatalf("the handler reads %v", err)
		}
	}
}

func TestAStreamThatIsCutIsUnavailableInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "Unavailable, the server: context canceled", func(t *testing.T, w way) string {
		entered := make(chan context.Context, 1)
		w.part.download = func(s downloads) error {
			entered <- s.Context()
			<-s.Context().Done()
			return s.Context().Err()
		}
		s, err := candidatev1.NewResumeServiceClient(w.bare("gateway")).DownloadResume(within(t), &candidatev1.DownloadResumeRequest{Query: "q"})
		if err != nil {
			t.Fatal(err)
		}
		theirs := <-entered
		w.cut()
		_, err = s.Recv()
		<-theirs.Done()
		return fmt.Sprintf("%v, the server: %v", status.Code(err), theirs.Err())
	})
}

func TestMessagesOfAStreamAreCopiesInTheProcessToo(t *testing.T) {
	equally(t, "0001", func(t *testing.T, w way) string {
		w.part.download = func(s downloads) error {
			piece := make([]byte, 1)
			m := &candidatev1.DownloadResumeResponse{Piece: &candidatev1.DownloadResumeResponse_Chunk{Chunk: piece}}
			first := s.Send(m)
			piece[0] = 1
			return errors.Join(first, s.Send(m))
		}
		s, err := candidatev1.NewResumeServiceClient(w.bare("gateway")).DownloadResume(within(t), &candidatev1.DownloadResumeRequest{Query: "q"})
		var got []byte
		for err == nil {
			var m *candidatev1.DownloadResumeResponse
			if m, err = s.Recv(); err == nil {
				got = append(got, m.GetChunk()...)
			}
		}
		return fmt.Sprintf("%x", got)
	})
}

// Reflection is the one service whose messages go both ways at once.
func TestAStreamBothWaysWorksInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "5 services, 5 services, then OK", func(t *testing.T, w way) string {
		s, err := grpc_reflection_v1.NewServerReflectionClient(w.bare("cvrender")).ServerReflectionInfo(within(t))
		if err != nil {
			t.Fatal(err)
		}
		told := ""
		for range 2 {
			if err := s.Send(&grpc_reflection_v1.ServerReflectionRequest{MessageRequest: &grpc_reflection_v1.ServerReflectionRequest_ListServices{}}); err != nil {
				t.Fatal(err)
			}
			m, err := s.Recv()
			if err != nil {
				t.Fatal(err)
			}
			told += fmt.Sprintf("%d services, ", len(m.GetListServicesResponse().GetService()))
		}
		if err := s.CloseSend(); err != nil {
			t.Fatal(err)
		}
		_, err = s.Recv()
		code := codes.OK
		if !errors.Is(err, io.EOF) {
			code = status.Code(err)
		}
		return told + "then " + code.String()
	})
}
