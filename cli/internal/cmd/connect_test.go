package cmd

import (
	"testing"

	"vitae.internal/pkg/config"
	"vitae.internal/pkg/localstack"
)

func TestEnvironmentGoesBeforeTheLocalStack(t *testing.T) {
	dir := t.TempDir()
	err := localstack.Save(dir, localstack.Stack{
		GRPC: localstack.GRPC{Auth: "127.0.0.1:1", Candidate: "127.0.0.1:2", PartnerCatalog: "127.0.0.1:3"},
		TLS:  localstack.TLS{CA: "/ca", Cert: "/cert", Key: "/key"},
	})
	if err != nil {
		t.Fatal(err)
	}
	got, err := resolve(config.Environment{"VITAE_DATA_DIR": dir, "VITAE_AUTH_GRPC_ADDR": "10.0.0.1:9", "VITAE_TLS_CERT": "/mine"})
	want := settings{DataDir: dir, Auth: "10.0.0.1:9", PartnerCatalog: "127.0.0.1:3", Candidate: "127.0.0.1:2", CA: "/ca", Cert: "/mine", Key: "/key"}
	if err != nil || got != want {
		t.Errorf("resolve gave %+v, %v, want %+v", got, err, want)
	}
}

func TestNoLocalStackIsNeededWhenTheEnvironmentSaysAll(t *testing.T) {
	_, err := resolve(config.Environment{
		"VITAE_DATA_DIR": t.TempDir(), "VITAE_AUTH_GRPC_ADDR": "a:1", "VITAE_CANDIDATE_GRPC_ADDR": "b:2", "VITAE_PARTNERCATALOG_GRPC_ADDR": "c:3",
		"VITAE_TLS_CA": "/ca", "VITAE_TLS_CERT": "/c", "VITAE_TLS_KEY": "/k",
	})
	if err != nil {
		t.Error(err)
	}
}
