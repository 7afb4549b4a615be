// Package node provides the Node packages of tools/node to tests.
package node

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"vitae.internal/pkg/testkit"
)

// Modules installs the packages unless they are there, and returns their folder.
var Modules = sync.OnceValues(func() (string, error) {
	root, err := testkit.Root()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(root, "tools", "node.sh"))
	cmd.Stderr = os.Stderr
	return filepath.Join(root, "tools", "node", "node_modules"), cmd.Run()
})
