// Command protoc-gen-vitae-openapi is a plugin for protoc and buf. It generates the REST API's OpenAPI
// document from all the files in a run.
package main

import (
	"slices"
	"strings"

	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/pluginpb"

	"vitae.internal/gateway/internal/api/openapi/generate"
)

func main() {
	protogen.Options{}.Run(func(p *protogen.Plugin) error {
		p.SupportedFeatures = uint64(pluginpb.CodeGeneratorResponse_FEATURE_PROTO3_OPTIONAL)
		var files []protoreflect.FileDescriptor
		for _, f := range p.Files {
			if f.Generate {
				files = append(files, f.Desc)
			}
		}
		slices.SortFunc(files, func(a, b protoreflect.FileDescriptor) int { return strings.Compare(a.Path(), b.Path()) })
		document, err := generate.Build(files)
		if err != nil {
			return err
		}
		raw, err := document.Bytes()
		if err != nil {
			return err
		}
		_, err = p.NewGeneratedFile("openapi.json", "").Write(raw)
		return err
	})
}
