package stack

import (
	"fmt"
	"os"
	"strings"
)

// choosePorts chooses the ports of the stack, and sets its environment and addresses.
func (s *Stack) choosePorts() error {
	first := map[string]int{}
	for _, name := range []string{"public", "app", "legacy", "ops"} {
		port, err := shared.next(s.options.Replicas)
		if err != nil {
			return err
		}
		first[name] = port
	}
	for _, name := range []string{"auth", "partnercatalog", "candidate", "cvrender", "partner"} {
		port, err := shared.next(1)
		if err != nil {
			return err
		}
		first[name] = port
	}
	for i := range s.options.Replicas {
		s.BaseURLs = append(s.BaseURLs, "http://"+address(first["public"]+i*replicaStep))
		s.LegacyURLs = append(s.LegacyURLs, "http://"+address(first["legacy"]+i*replicaStep))
		s.AppURLs = append(s.AppURLs, "http://"+address(first["app"]+i*replicaStep))
	}
	s.env = []string{
		"VITAE_DATA_DIR=" + s.options.Dir,
		"VITAE_WORLD=none",
		"VITAE_SPLIT=1",
		fmt.Sprintf("VITAE_GATEWAY_REPLICAS=%d", s.options.Replicas),
		"VITAE_PUBLIC_ADDR=" + address(first["public"]),
		"VITAE_BASE_URL=" + s.BaseURLs[0],
		"VITAE_APP_ADDR=" + address(first["app"]),
		"VITAE_APP_URL=" + s.AppURLs[0],
		"VITAE_LEGACY_ADDR=" + address(first["legacy"]),
		"VITAE_LEGACY_BASE_URL=" + s.LegacyURLs[0],
		"VITAE_OPS_ADDR=" + address(first["ops"]),
		"VITAE_AUTH_GRPC_ADDR=" + address(first["auth"]),
		"VITAE_PARTNERCATALOG_GRPC_ADDR=" + address(first["partnercatalog"]),
		"VITAE_CANDIDATE_GRPC_ADDR=" + address(first["candidate"]),
		"VITAE_CVRENDER_GRPC_ADDR=" + address(first["cvrender"]),
		"PARTNER_ADDR=" + address(first["partner"]),
	}
	return nil
}

// Environ is the caller's environment without settings of Vitae, which would lead a
// program to the servers of another stack.
func Environ() []string {
	var out []string
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "VITAE_") && !strings.HasPrefix(kv, "PARTNER_") {
			out = append(out, kv)
		}
	}
	return out
}
