// Package node provides the npm packages in tools/node to tests.
package node

import (
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"vitae.internal/pkg/testkit"
)

// Modules installs the npm packages if necessary and returns their folder.
var Modules = sync.OnceValues(func() (string, error) {
	root, err := testkit.Root()
	if err != nil {
		return "", err
	}
	cmd := exec.Command(filepath.Join(root, "tools", "node.sh"))
	cmd.Stderr = os.Stderr
	return filepath.Join(root, "tools", "node", "node_modules"), cmd.Run()
})
