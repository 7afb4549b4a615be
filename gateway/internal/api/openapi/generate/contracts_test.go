package generate

import (
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/bufbuild/protocompile"
	"github.com/bufbuild/protocompile/protoutil"
	"google.golang.org/protobuf/compiler/protogen"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/types/descriptorpb"
	"google.golang.org/protobuf/types/pluginpb"
)

// contracts returns the contracts of the repository with their comments, as protoc
// or buf would give them to a plugin.
func contracts(t *testing.T) []protoreflect.FileDescriptor {
	t.Helper()
	root := "../../../../../proto"
	var paths []string
	err := fs.WalkDir(os.DirFS(root), "vitae", func(path string, d fs.DirEntry, err error) error {
		if filepath.Ext(path) == ".proto" {
			paths = append(paths, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	slices.Sort(paths)
	compiler := protocompile.Compiler{
		Resolver:       protocompile.WithStandardImports(&protocompile.SourceResolver{ImportPaths: []string{root, root + "/third_party"}}),
		SourceInfoMode: protocompile.SourceInfoStandard,
	}
	linked, err := compiler.Compile(t.Context(), paths...)
	if err != nil {
		t.Fatal(err)
	}
	request := &pluginpb.CodeGeneratorRequest{FileToGenerate: paths}
	seen := map[string]bool{}
	var add func(protoreflect.FileDescriptor)
	add = func(f protoreflect.FileDescriptor) {
		if seen[f.Path()] {
			return
		}
		seen[f.Path()] = true
		for i := range f.Imports().Len() {
			add(f.Imports().Get(i).FileDescriptor)
		}
		request.ProtoFile = append(request.ProtoFile, protoutil.ProtoFromFileDescriptor(f))
	}
	for _, f := range linked {
		add(f)
	}
	// Options are decoded with the types that are linked in here, as in a plugin.
	raw, err := proto.Marshal(request)
	if err != nil {
		t.Fatal(err)
	}
	request = &pluginpb.CodeGeneratorRequest{}
	if err := proto.Unmarshal(raw, request); err != nil {
		t.Fatal(err)
	}
	for _, f := range request.GetProtoFile() {
		packages(f)
	}
	plugin, err := protogen.Options{}.New(request)
	if err != nil {
		t.Fatal(err)
	}
	var files []protoreflect.FileDescriptor
	for _, path := range paths {
		files = append(files, plugin.FilesByPath[path].Desc)
	}
	return files
}

// packages gives each file without a Go package one, because protogen requires it.
// buf does the same.
func packages(f *descriptorpb.FileDescriptorProto) {
	if f.GetOptions().GetGoPackage() != "" {
		return
	}
	if f.Options == nil {
		f.Options = &descriptorpb.FileOptions{}
	}
	f.Options.GoPackage = proto.String("third.party/" + strings.TrimSuffix(f.GetName(), ".proto"))
}
