package principal_test

import (
	"fmt"
	"testing"

	"google.golang.org/grpc/metadata"
	"google.golang.org/protobuf/proto"

	"vitae.internal/pkg/errs"
	"vitae.internal/pkg/principal"
	identityv1 "vitae.internal/proto/gen/vitae/identity/v1"
)

// received returns the principal that a service receives with a call for p.
func received(t *testing.T, p *identityv1.Principal) *identityv1.Principal {
	t.Helper()
	sent, err := principal.Outgoing(principal.NewContext(t.Context(), p))
	if err != nil {
		t.Fatal(err)
	}
	ctx, err := principal.Incoming(metadata.NewIncomingContext(t.Context(), metadata.Pairs(sent...)))
	if err != nil {
		t.Fatal(err)
	}
	return principal.FromContext(ctx)
}

func of(person string) *identityv1.Principal {
	return &identityv1.Principal{PersonId: person, Scopes: []string{"profile", "cv:read"}}
}

func TestServiceReceivesThePrincipal(t *testing.T) {
	for i := range 3000 { // more than the cache holds
		p := of(fmt.Sprint("usr_", i%1500))
		if got := received(t, p); !proto.Equal(got, p) {
			t.Fatalf("%v arrives as %v", p, got)
		}
	}
}

func TestPrincipalIsDecodedOnce(t *testing.T) {
	first := received(t, of("usr_again"))
	if received(t, of("usr_again")) != first {
		t.Error("it was decoded again")
	}
	if received(t, of("usr_other")) == first {
		t.Error("confused with another one")
	}
}

func TestMalformedPrincipalIsRejected(t *testing.T) {
	for range 2 {
		ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs("vitae-principal-bin", "\xff"))
		if _, err := principal.Incoming(ctx); !errs.HasCode(err, "PRINCIPAL_MALFORMED") {
			t.Errorf("got %v", err)
		}
	}
	ctx := metadata.NewIncomingContext(t.Context(), metadata.Pairs("vitae-principal-bin", "", "vitae-principal-bin", ""))
	if _, err := principal.Incoming(ctx); !errs.HasCode(err, "PRINCIPAL_MALFORMED") {
		t.Errorf("two of them: %v", err)
	}
}
