package localstack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// fileName of the note inside the data folder.
const fileName = "stack.json"

// Stack says where a local stack serves.
type Stack struct {
	// GRPC holds the internal addresses, host:port.
	GRPC GRPC `json:"grpc"`
	// TLS names the files of the client certificate for vitaectl.
	TLS TLS `json:"tls"`
	// BaseURL is the address of the REST API, without a trailing slash.
	BaseURL string `json:"baseUrl"`
	// AppURL is the address of the pages.
	AppURL string `json:"appUrl"`
	// LegacyBaseURL is the address of the legacy interface.
	LegacyBaseURL string `json:"legacyBaseUrl"`
	// ConsoleURL is the address of the developer console.
	ConsoleURL string `json:"consoleUrl"`
	// PartnerURL is the address of the example partner site; empty if it does not run.
	PartnerURL string `json:"partnerUrl"`
}

// GRPC holds the address of every service, host:port.
type GRPC struct {
	Auth           string `json:"auth"`
	PartnerCatalog string `json:"partnercatalog"`
	Candidate      string `json:"candidate"`
	CVRender       string `json:"cvrender"`
}

// TLS names PEM files by absolute path.
type TLS struct {
	CA   string `json:"ca"`
	Cert string `json:"cert"`
	Key  string `json:"key"`
}

// Load reads the note in dataDir. The error wraps fs.ErrNotExist when no stack
// has run there.
func Load(dataDir string) (Stack, error) {
	raw, err := os.ReadFile(filepath.Join(dataDir, fileName))
	if err != nil {
		return Stack{}, fmt.Errorf("localstack: %w", err)
	}
	var s Stack
	if err := json.Unmarshal(raw, &s); err != nil {
		return Stack{}, fmt.Errorf("localstack: %s: %w", fileName, err)
	}
	return s, nil
}

// Save writes the note into dataDir, which must exist, in one step: a reader
// sees the old note or the new one, never half of it.
func Save(dataDir string, s Stack) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("localstack: %w", err)
	}
	f, err := os.CreateTemp(dataDir, fileName+".*")
	if err != nil {
		return fmt.Errorf("localstack: %w", err)
	}
	defer os.Remove(f.Name()) // gone already when the rename succeeded
	if _, err = f.Write(append(raw, '\n')); err == nil {
		err = f.Chmod(0o644)
	}
	if closeErr := f.Close(); err == nil {
		err = closeErr
	}
	if err == nil {
		err = os.Rename(f.Name(), filepath.Join(dataDir, fileName))
	}
	if err != nil {
		return fmt.Errorf("localstack: %w", err)
	}
	return nil
}
