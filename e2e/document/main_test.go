// Package document_test proves what partners read. The REST API does what the OpenAPI document
// says, clients generated from the document work, and the commands and programs of the guides
// (docs/guides) do what they promise.
package document_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
