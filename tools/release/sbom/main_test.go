package main

import (
	"runtime/debug"
	"slices"
	"testing"
)

func TestSBOMListsEveryLinkedModule(t *testing.T) {
	info := &debug.BuildInfo{
		GoVersion: "go1.26.8", Path: "vitae.internal/services/auth/cmd/auth",
		Deps: []*debug.Module{
			{Path: "github.com/jackc/pgx/v5", Version: "v5.7.0", Sum: "h1:abc="},
			{Path: "vitae.internal/pkg", Version: "v0.0.0", Replace: &debug.Module{Path: "../../pkg", Version: "(devel)"}},
			{Path: "example.com/old", Version: "v1.0.0", Replace: &debug.Module{Path: "example.com/fork", Version: "v1.0.1", Sum: "h1:def="}},
		},
		Settings: []debug.BuildSetting{{Key: "GOARCH", Value: "arm64"}, {Key: "-ldflags", Value: "-s"}},
	}
	bom, err := of(info, program{"auth", "v1.2.3", "0123abc", "ff"})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, c := range *bom.Components {
		sum := ""
		if c.Properties != nil {
			sum = " " + (*c.Properties)[0].Value
		}
		got = append(got, c.PackageURL+sum)
	}
	want := []string{
		"pkg:golang/std@1.26.8", "pkg:golang/github.com/jackc/pgx/v5@v5.7.0 h1:abc=",
		"pkg:golang/vitae.internal/pkg@v1.2.3", "pkg:golang/example.com/fork@v1.0.1 h1:def=",
	}
	if !slices.Equal(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if refs := *(*bom.Dependencies)[0].Dependencies; len(refs) != len(want) {
		t.Errorf("the program depends on %q", refs)
	}
	made := bom.Metadata.Component
	if made.Name != "auth" || made.Version != "v1.2.3" || (*made.Hashes)[0].Value != "ff" {
		t.Errorf("%+v", made)
	}
	with := []string{}
	for _, p := range *made.Properties {
		with = append(with, p.Name+"="+p.Value)
	}
	if !slices.Contains(with, "vcs.revision=0123abc") || !slices.Contains(with, "go:GOARCH=arm64") {
		t.Errorf("%q", with)
	}
	if bom.SerialNumber != "" || bom.Metadata.Timestamp != "" {
		t.Error("the output is not deterministic: it has a serial number or a timestamp")
	}
}

func TestForeignProgramIsRejected(t *testing.T) {
	if _, err := of(&debug.BuildInfo{Path: "example.com/other"}, program{}); err == nil {
		t.Error("no error")
	}
}
