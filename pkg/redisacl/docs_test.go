package redisacl_test

import (
	"os"
	"strings"
	"testing"
)

func TestFileMatchesDocumentation(t *testing.T) {
	file, err := os.ReadFile("users.acl")
	if err != nil {
		t.Fatal(err)
	}
	documented, err := os.ReadFile("../../docs/operations.md")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(documented), "```\n"+string(file)+"```\n") {
		t.Error("docs/operations.md differs from users.acl")
	}
}
