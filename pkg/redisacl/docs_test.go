package redisacl_test

import (
	"os"
	"strings"
	"testing"
)

func TestTheFileIsTheOneThatOperatorsAreTold(t *testing.T) {
	file, err := os.ReadFile("users.acl")
	if err != nil {
		t.Fatal(err)
	}
	told, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(told), "```\n"+string(file)+"```\n") {
		t.Error("docs/operations.md has another file than users.acl")
	}
}
