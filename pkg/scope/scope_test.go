package scope_test

import (
	"slices"
	"testing"

	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/reflect/protoreflect"
	"google.golang.org/protobuf/reflect/protoregistry"

	"vitae.internal/pkg/scope"
	_ "vitae.internal/proto/gen/vitae/auth/v1"
	_ "vitae.internal/proto/gen/vitae/candidate/v1"
	_ "vitae.internal/proto/gen/vitae/cvrender/v1"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
	_ "vitae.internal/proto/gen/vitae/partnercatalog/v1"
)

// The test also fails for a scope that no method requires, because such a scope would be useless.
func TestContractsUseDefinedScopes(t *testing.T) {
	all := append(append(scope.User(), scope.Company()...), scope.ProfileRead)
	used := map[string]bool{
		scope.Email: true, scope.CVContact: true, // required for fields, not methods
	}
	protoregistry.GlobalFiles.RangeFiles(func(f protoreflect.FileDescriptor) bool {
		for i := range f.Services().Len() {
			methods := f.Services().Get(i).Methods()
			for j := range methods.Len() {
				access, _ := proto.GetExtension(methods.Get(j).Options(), optionsv1.E_Access).(*optionsv1.Access)
				if s := access.GetScope(); s != "" {
					used[s] = true
					if !slices.Contains(all, s) {
						t.Errorf("%s requires the undefined scope %q", methods.Get(j).FullName(), s)
					}
				}
			}
		}
		return true
	})
	for _, s := range all {
		if !used[s] {
			t.Errorf("no method requires the scope %q", s)
		}
	}
}

func TestEveryScopeIsExplained(t *testing.T) {
	t.Parallel()
	for _, name := range append(scope.User(), scope.Company()...) {
		if scope.Text(name) == "" {
			t.Errorf("%s is not explained", name)
		}
	}
}
