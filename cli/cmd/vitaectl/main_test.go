package main

import (
	"os/exec"
	"strings"
	"testing"
)

// serversOnly are packages, with those below them, that a command that calls services
// has no use for. Each was linked once because a package for both sides needed it, and
// together they were more than half of the program.
var serversOnly = []string{
	"vitae.internal/pkg/backing", "vitae.internal/pkg/breaker", "vitae.internal/pkg/daemon", "vitae.internal/pkg/grpcserver",
	"vitae.internal/pkg/postgres", "vitae.internal/pkg/redisx", "vitae.internal/pkg/telemetry", "vitae.internal/pkg/testkit",
	"buf.build/go/protovalidate", "cel.dev", "github.com/google/cel-go",
	"github.com/grpc-ecosystem/go-grpc-middleware", "github.com/grpc-ecosystem/grpc-gateway",
	"github.com/jackc", "github.com/prometheus", "github.com/redis", "go.opentelemetry.io",
	"google.golang.org/grpc/health", "google.golang.org/grpc/reflection",
	"html/template", "testing",
}

func TestNothingIsLinkedThatOnlyServersNeed(t *testing.T) {
	// The tag is that of the Makefile.
	out, err := exec.Command("go", "list", "-tags", "grpcnotrace", "-deps", ".").Output()
	if err != nil {
		t.Fatal(err)
	}
	linked := strings.Fields(string(out))
	if len(linked) < 100 {
		t.Fatalf("go list names %d packages", len(linked))
	}
	for _, path := range linked {
		for _, unwanted := range serversOnly {
			if path == unwanted || strings.HasPrefix(path, unwanted+"/") {
				t.Errorf("vitaectl links %s", path)
			}
		}
	}
}
