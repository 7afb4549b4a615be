package localstack

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
)

// fileName is the name of the file in the data folder.
const fileName = "stack.json"

// Stack describes a running local stack.
type Stack struct {
	// GRPC holds the internal addresses of the services.
	GRPC GRPC `json:"grpc"`
	// TLS holds the files of vitaectl's client certificate.
	TLS TLS `json:"tls"`
	// BaseURL is the URL of the REST API, without a trailing slash.
	BaseURL string `json:"baseUrl"`
	// AppURL is the URL of the web pages.
	AppURL string `json:"appUrl"`
	// LegacyBaseURL is the URL of the legacy interface.
	LegacyBaseURL string `json:"legacyBaseUrl"`
	// ConsoleURL is the URL of the developer console.
	ConsoleURL string `json:"consoleUrl"`
	// PartnerURL is the URL of the example partner site, or "" if it is not running.
	PartnerURL string `json:"partnerUrl"`
}

// GRPC holds the address of every service, in the form host:port.
type GRPC struct {
	Auth           string `json:"auth"`
	PartnerCatalog string `json:"partnercatalog"`
	Candidate      string `json:"candidate"`
	CVRender       string `json:"cvrender"`
}

// TLS holds the absolute paths of PEM files.
type TLS struct {
	CA   string `json:"ca"`
	Cert string `json:"cert"`
	Key  string `json:"key"`
}

// Load reads the file in dataDir. The error wraps fs.ErrNotExist if no stack has run there.
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

// Save writes the file atomically to dataDir, which must exist.
func Save(dataDir string, s Stack) error {
	raw, err := json.MarshalIndent(s, "", "  ")
	if err != nil {
		return fmt.Errorf("localstack: %w", err)
	}
	f, err := os.CreateTemp(dataDir, fileName+".*")
	if err != nil {
		return fmt.Errorf("localstack: %w", err)
	}
	defer os.Remove(f.Name()) // fails after a successful rename
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
