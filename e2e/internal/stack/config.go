package stack

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"vitae.internal/pkg/testkit/ports"
)

// choosePorts chooses the stack's ports, and sets its environment and URLs.
func (s *Stack) choosePorts() error {
	first := map[string]int{}
	for _, name := range []string{"public", "app", "legacy", "console"} {
		port, err := ports.Next(s.options.Replicas)
		if err != nil {
			return err
		}
		first[name] = port
	}
	// If services run in separate processes, their operations endpoints use the next ports.
	var offsets []int
	for i := range 4 + s.options.Replicas {
		offsets = append(offsets, 1+i)
	}
	ops, err := ports.With(offsets...)
	if err != nil {
		return err
	}
	first["ops"] = ops
	for _, name := range []string{"auth", "partnercatalog", "candidate", "cvrender", "partner"} {
		port, err := ports.Next(1)
		if err != nil {
			return err
		}
		first[name] = port
	}
	for i := range s.options.Replicas {
		s.BaseURLs = append(s.BaseURLs, "http://"+ports.Address(first["public"]+i*ports.ReplicaStep))
		s.LegacyURLs = append(s.LegacyURLs, "http://"+ports.Address(first["legacy"]+i*ports.ReplicaStep))
		s.ConsoleURLs = append(s.ConsoleURLs, "http://"+ports.Address(first["console"]+i*ports.ReplicaStep))
		s.AppURLs = append(s.AppURLs, "http://"+ports.Address(first["app"]+i*ports.ReplicaStep))
	}
	s.env = []string{
		"VITAE_DATA_DIR=" + s.options.Dir,
		"VITAE_WORLD=none",
		fmt.Sprintf("VITAE_GATEWAY_REPLICAS=%d", s.options.Replicas),
		"VITAE_PUBLIC_ADDR=" + ports.Address(first["public"]),
		"VITAE_BASE_URL=" + s.BaseURLs[0],
		"VITAE_APP_ADDR=" + ports.Address(first["app"]),
		"VITAE_APP_URL=" + s.AppURLs[0],
		"VITAE_LEGACY_ADDR=" + ports.Address(first["legacy"]),
		"VITAE_LEGACY_BASE_URL=" + s.LegacyURLs[0],
		"VITAE_CONSOLE_ADDR=" + ports.Address(first["console"]),
		"VITAE_CONSOLE_URL=" + s.ConsoleURLs[0],
		"VITAE_OPS_ADDR=" + ports.Address(first["ops"]),
		"VITAE_AUTH_GRPC_ADDR=" + ports.Address(first["auth"]),
		"VITAE_PARTNERCATALOG_GRPC_ADDR=" + ports.Address(first["partnercatalog"]),
		"VITAE_CANDIDATE_GRPC_ADDR=" + ports.Address(first["candidate"]),
		"VITAE_CVRENDER_GRPC_ADDR=" + ports.Address(first["cvrender"]),
		"PARTNER_ADDR=" + ports.Address(first["partner"]),
	}
	return nil
}

// Environ returns the environment without the settings of Vitae and of an attached stack.
func Environ() []string {
	return slices.DeleteFunc(os.Environ(), func(kv string) bool {
		return strings.HasPrefix(kv, "VITAE_") || strings.HasPrefix(kv, "PARTNER_") || strings.HasPrefix(kv, "E2E_")
	})
}

// MailDir returns the folder of the sent emails.
func (s *Stack) MailDir() string { return filepath.Join(s.options.Dir, "mail") }
