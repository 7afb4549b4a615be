// Package pictures_test opens every page for people, and some for partners, in each of their
// states. In both languages it asserts that the page fits into desktop and phone windows, also
// with a wide font. It asserts that axe-core finds nothing, in light and in dark colours.
//
// With `make pictures` it saves a picture of each page for people to look at
// (docs/contributing/pictures.md). It asserts nothing about what the pictures show.
package pictures_test

import (
	"testing"

	"vitae.internal/e2e/internal/suite"
)

func TestMain(m *testing.M) { suite.Main(m, suite.Options{}) }
