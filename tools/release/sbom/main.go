// Program sbom prints what a Go program is made of as a bill of materials, in CycloneDX 1.6:
//
//	sbom -version v1.2.3 -revision COMMIT PROGRAM
//
// It reads what the linker has written into the program, so it lists what was linked, not
// what a go.mod allows. Its output is deterministic: it contains neither a time nor a
// random number.
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

// program has what the linker does not know about a program.
type program struct{ name, version, revision, sha256 string }

// ours is the beginning of the paths of this repository's modules, which have the version
// of the release.
const ours = "vitae.internal/"

// of is the bill of materials of a program.
func of(info *debug.BuildInfo, p program) (*cdx.BOM, error) {
	if !strings.HasPrefix(info.Path, ours) {
		return nil, errors.New("it is no program of this repository: " + info.Path)
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

// component is a module that is linked; what replaces it, if something does.
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
		// The checksum database has it under this name; it is not the hash of one file.
		c.Properties = &[]cdx.Property{{Name: "go:sum", Value: m.Sum}}
	}
	return c
}

// settings are the build settings of the program.
func settings(info *debug.BuildInfo, revision string) *[]cdx.Property {
	all := []cdx.Property{{Name: "vcs.revision", Value: revision}, {Name: "go:package", Value: info.Path}}
	for _, s := range info.Settings {
		if s.Key == "GOOS" || s.Key == "GOARCH" || s.Key == "CGO_ENABLED" || s.Key == "-tags" || s.Key == "-trimpath" {
			all = append(all, cdx.Property{Name: "go:" + s.Key, Value: s.Value})
		}
	}
	return &all
}
