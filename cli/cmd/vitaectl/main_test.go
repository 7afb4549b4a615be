package main

import (
	"os/exec"
	"strings"
	"testing"
)

// serversOnly lists packages that a client does not need, including their subpackages. Shared packages have
// imported each of them in the past, and together they accounted for more than half of the program.
var serversOnly = []string{
	"vitae.internal/pkg/backing", "vitae.internal/pkg/breaker", "vitae.internal/pkg/daemon", "vitae.internal/pkg/grpcserver",
	"vitae.internal/pkg/postgres", "vitae.internal/pkg/redisx", "vitae.internal/pkg/telemetry", "vitae.internal/pkg/testkit",
	"buf.build/go/protovalidate", "cel.dev", "github.com/google/cel-go",
	"github.com/grpc-ecosystem/go-grpc-middleware", "github.com/grpc-ecosystem/grpc-gateway",
	"github.com/jackc", "github.com/prometheus", "github.com/redis", "go.opentelemetry.io",
	"google.golang.org/grpc/health", "google.golang.org/grpc/reflection",
	"html/template", "testing",
}

func TestServerPackagesAreNotLinked(t *testing.T) {
	// The build tag must match the one in the Makefile.
	out, err := exec.Command("go", "list", "-tags", "grpcnotrace", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if len(linked) < 100 {
		t.Fatalf("go list reports only %d packages", len(linked))
	}
	for _, path := range linked {
		for _, unwanted := range serversOnly {
			if path == unwanted || strings.HasPrefix(path, unwanted+"/") {
				t.Errorf("vitaectl links %s", path)
			}
		}
	}
}
