package principal_test

import (
	"testing"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

func TestServiceReceivesPrincipal(t *testing.T) {
	p := &identityv1.Principal{PersonId: "usr_1", Scopes: []string{"profile", "cv:read"}}
	sent, err := principal.Outgoing(principal.NewContext(t.Context(), p))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := principal.Incoming(metadata.NewIncomingContext(t.Context(), metadata.Pairs(sent...)))
	if err != nil {
		t.Fatal(err)
	}
	if got := principal.FromContext(ctx); !proto.Equal(got, p) {
		t.Errorf("sent %v, received %v", p, got)
	}
}

func TestMalformedPrincipalIsRejected(t *testing.T) {
	ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs("vitae-principal-bin", "\xff"))
	if _, err := principal.Incoming(ctx); !errs.HasCode(err, "PRINCIPAL_MALFORMED") {
		t.Errorf("got %v", err)
	}
	ctx = metadata.NewIncomingContext(t.Context(), metadata.Pairs("vitae-principal-bin", "", "vitae-principal-bin", ""))
	if _, err := principal.Incoming(ctx); !errs.HasCode(err, "PRINCIPAL_MALFORMED") {
		t.Errorf("two principals: %v", err)
	}
}
