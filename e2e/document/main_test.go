// Package document_test tests what partners read. The REST API conforms to the OpenAPI document,
// clients generated from the document work, and the commands and programs of the guides (docs/guides)
// work as described.
package document_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
