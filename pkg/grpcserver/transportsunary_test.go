package grpcserver_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"strings"
	"testing"
	"time"

	"google.golang.org/grpc"
	"google.golang.org/grpc/codes"
	"google.golang.org/grpc/credentials"
	"google.golang.org/grpc/health/grpc_health_v1"
	"google.golang.org/grpc/metadata"
	"google.golang.org/grpc/peer"
	"google.golang.org/grpc/status"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/grpcserver"
	"vitae.internal/pkg/grpcx"
	"vitae.internal/pkg/mtls"
	"vitae.internal/pkg/principal"
	candidatev1 "vitae.internal/proto/gen/vitae/candidate/v1"
)

// refused is an error with all that can cross.
var refused = errs.New(errs.Invalid, "INVALID_ARGUMENT", "name: too long").
	WithViolations(errs.Violation{Field: "name", Description: "too long"}, errs.Violation{Field: "title", Description: "required"}).
	WithRetryAfter(1500 * time.Millisecond)

func TestACallIsAnsweredInTheProcessAsOverTheWire(t *testing.T) {
	gives := func(err error) func(context.Context) (*candidatev1.GetMeResponse, error) {
		return func(context.Context) (*candidatev1.GetMeResponse, error) { return nil, err }
	}
	answers := func(m *candidatev1.GetMeResponse) func(context.Context) (*candidatev1.GetMeResponse, error) {
		return func(context.Context) (*candidatev1.GetMeResponse, error) { return m, nil }
	}
	for name, c := range map[string]struct {
		caller string // the gateway's if empty
		method string // GetMe if empty
		nobody bool   // the call names no principal
		me     func(context.Context) (*candidatev1.GetMeResponse, error)
		want   string
		// codeOnly is for what the transport says in words of its own.
		codeOnly bool
	}{
		"an answer": {me: answers(answered("Zoë")), want: `OK "" Zoë`},
		"a refusal with fields and a time to wait": {me: gives(refused),
			want: `InvalidArgument "name: too long" reason:"INVALID_ARGUMENT" domain:"vitae" metadata:{key:"field" value:"name"}` +
				` field_violations:{field:"name" description:"too long"} field_violations:{field:"title" description:"required"} retry_delay:{seconds:1 nanos:500000000} `},
		"a fault of ours":               {me: gives(errors.New("a secret")), want: `Internal "internal error" `},
		"a wrapped end of the context":  {me: gives(fmt.Errorf("query: %w", context.DeadlineExceeded)), want: `DeadlineExceeded "the deadline passed" `},
		"a status":                      {me: gives(status.Error(codes.DataLoss, "lost %\n\x00")), want: `DataLoss "lost %\n\x00" `},
		"a status that is no text":      {me: gives(status.Error(codes.Aborted, "a\xff\xfeb")), want: "Aborted \"a��b\" "},
		"a panic":                       {me: func(context.Context) (*candidatev1.GetMeResponse, error) { panic("a secret") }, want: `Internal "internal error" `},
		"no answer and no error":        {me: answers(nil), want: `OK "" `},
		"an answer that is no text":     {me: answers(answered("\xff")), want: `Internal`, codeOnly: true},
		"an answer at the limit":        {me: answers(sized(grpcx.MaxMessage)), want: `OK "" `},
		"an answer beyond the limit":    {me: answers(sized(grpcx.MaxMessage + 1)), want: `ResourceExhausted "trying to send message larger than max (10485761 vs. 10485760)" `},
		"a caller that may not call":    {caller: "cvrender", want: `PermissionDenied "The caller \"cvrender\" may not call this method." reason:"CALLER_NOT_ALLOWED" domain:"vitae" `},
		"no principal":                  {nobody: true, want: `Unauthenticated "The call names no principal." reason:"PRINCIPAL_MISSING" domain:"vitae" `},
		"a method that is not there":    {method: "/vitae.candidate.v1.MeService/None", want: `Unimplemented "unknown method None for service vitae.candidate.v1.MeService" `},
		"a service that is not there":   {method: "/vitae.candidate.v1.None/GetMe", want: `Unimplemented "unknown service vitae.candidate.v1.None" `},
		"no name of a method":           {method: "/none", want: `Unimplemented`, codeOnly: true},
		"a method without implementing": {method: "/vitae.candidate.v1.MeService/GetSharedCv", want: `Unimplemented "method GetSharedCv not implemented" `},
	} {
		t.Run(name, func(t *testing.T) {
			equally(t, c.want, func(t *testing.T, w way) string {
				w.part.me = func(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
					return c.me(ctx)
				}
				caller, method, ctx := c.caller, c.method, within(t)
				if caller == "" {
					caller = "gateway"
				}
				if method == "" {
					method = "/vitae.candidate.v1.MeService/GetMe"
				}
				if c.nobody {
					ctx = principal.NewContext(ctx, nil)
				}
				var got candidatev1.GetMeResponse
				err := w.bare(caller).Invoke(asOutgoing(t, ctx), method, &candidatev1.GetMeRequest{}, &got)
				if c.codeOnly {
					return status.Code(err).String()
				}
				return statusText(err) + " " + got.GetUser().GetName()
			})
		})
	}
}

// asOutgoing puts the principal of ctx into the metadata, as the interceptors of a client do.
func asOutgoing(t *testing.T, ctx context.Context) context.Context {
	t.Helper()
	if principal.FromContext(ctx) == nil {
		return ctx
	}
	entries, err := principal.Outgoing(ctx)
	if err != nil {
		t.Fatal(err)
	}
	return metadata.AppendToOutgoingContext(ctx, entries...)
}

// sized is an answer of n bytes, in a field that nobody knows.
func sized(n int) *candidatev1.GetMeResponse {
	m := &candidatev1.GetMeResponse{}
	m.ProtoReflect().SetUnknown(filler(n))
	return m
}

// filler is an encoded field of n bytes altogether: two of the tag, four of the length, the rest.
func filler(n int) []byte {
	n -= 6
	return append([]byte{0xfa, 0x7f, byte(n) | 0x80, byte(n>>7) | 0x80, byte(n>>14) | 0x80, byte(n >> 21)}, make([]byte, n)...)
}

func TestAnErrorReachesAPartInTheProcessAsOverTheWire(t *testing.T) {
	want := `kind 1 INVALID_ARGUMENT "name: too long" [name: too long title: required] 1.5s`
	equally(t, want, func(t *testing.T, w way) string {
		w.part.me = func(context.Context, *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
			return nil, refused
		}
		_, err := candidatev1.NewMeServiceClient(w.conn("gateway")).GetMe(within(t), &candidatev1.GetMeRequest{})
		e, ok := errs.As(err)
		if !ok || e == refused || errors.Is(err, refused) {
			t.Fatalf("got %v, want a copy of the handler's error", err)
		}
		return fmt.Sprintf("kind %d %s %q %v %v", e.Kind, e.Code, e.Message, e.Violations, e.RetryAfter)
	})
}

func TestRequestsAreBoundedInTheProcessAsOverTheWire(t *testing.T) {
	for n, want := range map[int]string{
		grpcx.MaxMessage:     `OK "" handlers 1`,
		grpcx.MaxMessage + 1: `ResourceExhausted "trying to send message larger than max (10485761 vs. 10485760)" handlers 0`,
	} {
		equally(t, want, func(t *testing.T, w way) string {
			w.part.me = func(_ context.Context, r *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
				if got := len(r.ProtoReflect().GetUnknown()); got != n {
					t.Errorf("%d bytes of %d arrive", got, n)
				}
				return answered(""), nil
			}
			r := &candidatev1.GetMeRequest{}
			r.ProtoReflect().SetUnknown(filler(n))
			_, err := candidatev1.NewMeServiceClient(w.bare("gateway")).GetMe(asOutgoing(t, within(t)), r)
			return fmt.Sprintf("%s handlers %d", statusText(err), w.part.reached.Load())
		})
	}
}

func TestMetadataCrossesInTheProcessAsOverTheWire(t *testing.T) {
	for name, c := range map[string]struct {
		sent []string
		want string
	}{
		"texts and bytes":         {[]string{"X-Name", "a b", "x-name", "c", "x-raw-bin", "\x00\xff"}, `OK "" x-name=["a b" "c"] x-raw-bin=["\x00\xff"]`},
		"an empty text":           {[]string{"x-name", ""}, `OK "" x-name=[""]`},
		"what gRPC has itself":    {[]string{"grpc-timeout", "1H", ":path", "/", "te", "x", "x-name", "a"}, `OK "" x-name=["a"]`},
		"a text with a new line":  {[]string{"x-name", "a\nb"}, `Internal "header key \"x-name\" contains value with non-printable ASCII characters" `},
		"a text of other letters": {[]string{"x-name", "ü"}, `Internal "header key \"x-name\" contains value with non-printable ASCII characters" `},
		"a key of other letters":  {[]string{"x name", "a"}, `Internal "header key \"x name\" contains illegal characters not in [0-9a-z-_.]" `},
		"much of it":              {[]string{"x-name", strings.Repeat("a", 900<<10)}, fmt.Sprintf(`OK "" x-name=[%q]`, strings.Repeat("a", 900<<10))},
		"too much of it":          {[]string{"x-name", strings.Repeat("a", grpcx.MaxHeaderList)}, `Internal "header list size to send violates the maximum size (1048576 bytes) set by server" `},
	} {
		t.Run(name, func(t *testing.T) {
			equally(t, c.want, func(t *testing.T, w way) string {
				var got string
				w.part.me = func(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
					md, _ := metadata.FromIncomingContext(ctx)
					delete(md, "vitae-principal-bin")
					got = metadataText(md)
					return answered(""), nil
				}
				conn := w.bare("gateway")
				// Over the wire a caller knows the server's limits once it has heard from it.
				if _, err := candidatev1.NewMeServiceClient(conn).GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{}); err != nil {
					t.Fatal(err)
				}
				got = ""
				ctx := metadata.AppendToOutgoingContext(asOutgoing(t, within(t)), c.sent...)
				_, err := candidatev1.NewMeServiceClient(conn).GetMe(ctx, &candidatev1.GetMeRequest{})
				return statusText(err) + " " + got
			})
		})
	}
}

func TestHeadersAndTrailersComeBackInTheProcessAsOverTheWire(t *testing.T) {
	for name, c := range map[string]struct {
		fault error
		large int
		want  string
	}{
		"with an answer":   {want: `OK "" header x-head=["a" "b"] trailer x-tail-bin=["\x00\xff"]`},
		"with a refusal":   {fault: refused, want: statusText(grpcx.ToStatus(refused)) + ` header x-head=["a" "b"] trailer x-tail-bin=["\x00\xff"]`},
		"with a large one": {large: grpcx.MaxHeaderList, want: `Internal`},
	} {
		t.Run(name, func(t *testing.T) {
			equally(t, c.want, func(t *testing.T, w way) string {
				w.part.me = func(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
					_ = grpc.SetHeader(ctx, metadata.Pairs("X-Head", "a"))
					_ = grpc.SetHeader(ctx, metadata.Pairs("x-head", "b"))
					tail := "\x00\xff"
					if c.large > 0 {
						tail = strings.Repeat("a", c.large)
					}
					_ = grpc.SetTrailer(ctx, metadata.Pairs("x-tail-bin", tail))
					return answered(""), c.fault
				}
				var header, trailer metadata.MD
				_, err := candidatev1.NewMeServiceClient(w.bare("gateway")).GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{},
					grpc.Header(&header), grpc.Trailer(&trailer))
				if c.large > 0 {
					return status.Code(err).String()
				}
				return fmt.Sprintf("%s header %s trailer %s", statusText(err), metadataText(header), metadataText(trailer))
			})
		})
	}
}

func TestEachSideKnowsTheOtherInTheProcessAsOverTheWire(t *testing.T) {
	equally(t, "the server sees gateway from 127.0.0.1, the caller sees candidate at 127.0.0.1", func(t *testing.T, w way) string {
		var seen string
		w.part.me = func(ctx context.Context, _ *candidatev1.GetMeRequest) (*candidatev1.GetMeResponse, error) {
			p, _ := peer.FromContext(ctx)
			seen = fmt.Sprintf("the server sees %s from %s", grpcserver.Caller(ctx), host(p))
			return answered(""), nil
		}
		var callee peer.Peer
		if _, err := candidatev1.NewMeServiceClient(w.bare("gateway")).GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{}, grpc.Peer(&callee)); err != nil {
			t.Fatal(err)
		}
		return fmt.Sprintf("%s, the caller sees %s at %s", seen, nameIn(callee.AuthInfo), host(&callee))
	})
}

func TestACertificateOfAnotherAuthorityOpensNothingInTheProcessEither(t *testing.T) {
	for name, trusting := range map[string]bool{"a caller that does not trust the server": false, "a caller that trusts the server": true} {
		t.Run(name, func(t *testing.T) {
			equally(t, "Unavailable, health Unavailable, handlers 0", func(t *testing.T, w way) string {
				ours := mtls.Files(w.dir, "gateway").CAFile
				w.dir = t.TempDir()
				if err := mtls.Issue(w.dir, "gateway"); err != nil {
					t.Fatal(err)
				}
				if trusting {
					authority, err := os.ReadFile(ours)
					if err != nil {
						t.Fatal(err)
					}
					if err := os.WriteFile(mtls.Files(w.dir, "gateway").CAFile, authority, 0o600); err != nil {
						t.Fatal(err)
					}
				}
				conn := w.bare("gateway")
				_, err := candidatev1.NewMeServiceClient(conn).GetMe(asOutgoing(t, within(t)), &candidatev1.GetMeRequest{})
				_, health := grpc_health_v1.NewHealthClient(conn).Check(within(t), &grpc_health_v1.HealthCheckRequest{})
				return fmt.Sprintf("%v, health %v, handlers %d", status.Code(err), status.Code(health), w.part.reached.Load())
			})
		})
	}
}

func host(p *peer.Peer) string {
	host, _, _ := net.SplitHostPort(p.Addr.String())
	return host
}

func nameIn(info credentials.AuthInfo) string {
	return mtls.CallerName(info.(credentials.TLSInfo).State.VerifiedChains[0][0])
}
