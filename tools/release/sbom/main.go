// Command sbom prints the software bill of materials of a Go program, in CycloneDX 1.6 format:
//
//	sbom -version v1.2.3 -revision COMMIT PROGRAM
//
// It reads the build information that the linker has written into the program, so it lists the linked modules, not the
// requirements in go.mod. The output is deterministic: it contains neither a time nor a random number.
package main

import (
	"bytes"
	"crypto/sha256"
	"debug/buildinfo"
	"encoding/hex"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"runtime/debug"
	"strings"

	cdx "github.com/CycloneDX/cyclonedx-go"
)

func main() {
	version := flag.String("version", "", "of the release")
	revision := flag.String("revision", "", "the commit of the release")
	flag.Parse()
	if flag.NArg() != 1 || *version == "" || *revision == "" {
		flag.Usage()
		os.Exit(2)
	}
	if err := run(flag.Arg(0), *version, *revision); err != nil {
		fmt.Fprintln(os.Stderr, "sbom:", err)
		os.Exit(1)
	}
}

func run(file, version, revision string) error {
	raw, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	info, err := buildinfo.Read(bytes.NewReader(raw))
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	sum := sha256.Sum256(raw)
	bom, err := of(info, program{name: filepath.Base(file), version: version, revision: revision, sha256: hex.EncodeToString(sum[:])})
	if err != nil {
		return fmt.Errorf("%s: %w", file, err)
	}
	return cdx.NewBOMEncoder(os.Stdout, cdx.BOMFileFormatJSON).SetPretty(true).EncodeVersion(bom, cdx.SpecVersion1_6)
}

// program holds the facts about a program that the linker does not record.
type program struct{ name, version, revision, sha256 string }

// ours is the prefix of the paths of this repository's modules. These modules have the version of the release.
const ours = "vitae.internal/"

// of returns the bill of materials of a program.
func of(info *debug.BuildInfo, p program) (*cdx.BOM, error) {
	if !strings.HasPrefix(info.Path, ours) {
		return nil, errors.New("not a program of this repository: " + info.Path)
	}
	main := cdx.Component{
		BOMRef: "program", Type: cdx.ComponentTypeApplication, Name: p.name, Version: p.version,
		Hashes:     &[]cdx.Hash{{Algorithm: cdx.HashAlgoSHA256, Value: p.sha256}},
		Properties: settings(info, p.revision),
	}
	goVersion := strings.TrimPrefix(info.GoVersion, "go")
	parts := []cdx.Component{{
		BOMRef: "pkg:golang/std@" + goVersion, Type: cdx.ComponentTypeLibrary, Name: "std", Version: goVersion, PackageURL: "pkg:golang/std@" + goVersion,
	}}
	refs := []string{parts[0].BOMRef}
	for _, m := range info.Deps {
		c := component(m, p.version)
		parts, refs = append(parts, c), append(refs, c.BOMRef)
	}
	bom := cdx.NewBOM()
	bom.Metadata = &cdx.Metadata{Component: &main}
	bom.Components = &parts
	bom.Dependencies = &[]cdx.Dependency{{Ref: main.BOMRef, Dependencies: &refs}}
	return bom, nil
}

// component returns the component for a linked module, or for the module that replaces it.
func component(m *debug.Module, release string) cdx.Component {
	if m.Replace != nil && !strings.HasPrefix(m.Replace.Path, ".") {
		m = m.Replace
	}
	version := m.Version
	if strings.HasPrefix(m.Path, ours) {
		version = release
	}
	url := "pkg:golang/" + path.Clean(m.Path) + "@" + version
	c := cdx.Component{BOMRef: url, Type: cdx.ComponentTypeLibrary, Name: m.Path, Version: version, PackageURL: url}
	if m.Sum != "" {
		// This is the module's hash in the checksum database, not the hash of a single file.
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}
	}
	return c
}

// settings returns the program's build settings.
func settings(info *debug.BuildInfo, revision string) *[]cdx.Property {
	all := []cdx.Property{{Name: "vcs.revision", Value: revision}, {Name: "go:package", Value: info.Path}}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" || s.Key == "-tags" || s.Key == "-trimpath" {
			all = append(all, cdx.Property{Name: "go:" + s.Key, Value: s.Value})
		}
	}
	return &all
}
