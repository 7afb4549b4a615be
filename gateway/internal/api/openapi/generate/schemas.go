package generate

import (
	"encoding/json"
	"fmt"
	"regexp"
	"strings"

	"google.golang.org/protobuf/reflect/protoreflect"

	"vitae.internal/gateway/internal/api/openapi/model"
	"vitae.internal/gateway/internal/contract"
	optionsv1 "vitae.internal/proto/gen/vitae/options/v1"
)

// schemas collects the named schemas of the document. The schema of a message is named after its type. A
// message may be used either in responses or in bodies, but not in both, because their required fields differ.
type schemas struct {
	all  model.Map[*model.Schema]
	made map[string]origin
}

type origin struct {
	of protoreflect.FullName
	as direction
}

type direction string

const (
	inAnswers    direction = "answers"
	inBodies     direction = "bodies"
	inParameters direction = "parameters"
)

const (
	timestampName = "google.protobuf.Timestamp"
	wrappersFile  = "google/protobuf/wrappers.proto"
)

// add adds a named schema and returns a reference to it.
func (s *schemas) add(name string, schema *model.Schema) *model.Schema {
	s.all.Set(name, schema)
	return model.Ref(name)
}

// claim reports whether the schema of d has yet to be created.
func (s *schemas) claim(d protoreflect.Descriptor, as direction) (fresh bool, err error) {
	name, this := string(d.Name()), origin{d.FullName(), as}
	if s.made == nil {
		s.made = map[string]origin{}
	}
	if before, there := s.made[name]; there {
		if before != this {
			return false, fmt.Errorf("generate: %s in %s and %s in %s have the same name", before.of, before.as, this.of, this.as)
		}
		return false, nil
	}
	s.made[name] = this
	return true, nil
}

// message returns a reference to the schema of a message, without the fields for which leftOut returns true.
func (s *schemas) message(d protoreflect.MessageDescriptor, as direction, leftOut func(protoreflect.FieldDescriptor) bool) (*model.Schema, error) {
	ref := model.Ref(string(d.Name()))
	fresh, err := s.claim(d, as)
	if err != nil || !fresh {
		return ref, err
	}
	s.all.Set(string(d.Name()), &model.Schema{}) // because a message type can contain itself
	var schema *model.Schema
	if contract.Unwrapped(d) {
		schema, err = s.oneOf(d, as)
	} else {
		schema, err = s.fields(d, as, leftOut)
	}
	if err != nil {
		return nil, err
	}
	s.all.Set(string(d.Name()), schema.Described(commentOf(d)))
	return ref, nil
}

// oneOf returns the schema of an unwrapped message, which is written as the value of the one field that is set.
func (s *schemas) oneOf(d protoreflect.MessageDescriptor, as direction) (*model.Schema, error) {
	schema := &model.Schema{}
	for i := range d.Fields().Len() {
		value, err := s.value(d.Fields().Get(i), as)
		if err != nil {
			return nil, err
		}
		if value.Ref == "" {
			value.Description = commentOf(d.Fields().Get(i))
		}
		schema.AnyOf = append(schema.AnyOf, value)
	}
	return schema, nil
}

func (s *schemas) fields(d protoreflect.MessageDescriptor, as direction, leftOut func(protoreflect.FieldDescriptor) bool) (*model.Schema, error) {
	schema := model.Typed("object")
	for i := range d.Fields().Len() {
		fd := d.Fields().Get(i)
		if leftOut != nil && leftOut(fd) {
			continue
		}
		options := contract.FieldOf(fd)
		if as == inBodies && options.Hidden {
			continue
		}
		one, err := s.field(fd, as)
		if err != nil {
			return nil, err
		}
		schema.Properties.Set(fd.JSONName(), one)
		always := !fd.HasOptionalKeyword() && fd.FullName() != contract.OmittedWhenEmpty
		if as == inBodies {
			always = options.Required
		}
		if always {
			schema.Required = append(schema.Required, fd.JSONName())
		}
	}
	return schema, nil
}

// field returns the schema of a field as a property of its object.
func (s *schemas) field(fd protoreflect.FieldDescriptor, as direction) (*model.Schema, error) {
	options := contract.FieldOf(fd)
	var schema *model.Schema
	var err error
	switch {
	case fd.IsMap():
		schema = model.Typed("object")
		schema.Additional, err = s.value(fd.MapValue(), as)
	case fd.IsList():
		schema = model.Typed("array")
		schema.MinItems, schema.MaxItems = options.Schema.GetMinItems(), options.Schema.GetMaxItems()
		if schema.Items, err = s.value(fd, as); err == nil {
			err = narrow(schema.Items, options.Schema)
		}
	default:
		if schema, err = s.value(fd, as); err == nil {
			err = narrow(schema, options.Schema)
		}
	}
	if err != nil {
		return nil, fmt.Errorf("%s: %w", fd.FullName(), err)
	}
	if isWrapper(fd) || as == inAnswers && options.Nullable || as == inBodies && (options.NullClears || options.NullIsAbsent) {
		schema = schema.Nullable()
	}
	text := options.Schema.GetDescription()
	if text == "" {
		text = commentOf(fd)
	}
	return schema.Described(text), nil
}

func isWrapper(fd protoreflect.FieldDescriptor) bool {
	return fd.Message() != nil && fd.Message().ParentFile().Path() == wrappersFile
}

// value returns the schema of one value of a field.
func (s *schemas) value(fd protoreflect.FieldDescriptor, as direction) (*model.Schema, error) {
	switch {
	case fd.Enum() != nil:
		return s.enum(fd.Enum())
	case isWrapper(fd):
		return s.value(fd.Message().Fields().ByName("value"), as)
	case fd.Message() != nil && fd.Message().FullName() == timestampName:
		return &model.Schema{Type: model.Types{"string"}, Format: "date-time"}, nil
	case fd.Message() != nil:
		return s.message(fd.Message(), as, nil)
	}
	if scalar, known := scalars[fd.Kind()]; known {
		return &model.Schema{Type: model.Types{scalar.name}, Format: scalar.format}, nil
	}
	return nil, fmt.Errorf("generate: %s: kind %s has no JSON form", fd.FullName(), fd.Kind())
}

var scalars = map[protoreflect.Kind]struct{ name, format string }{
	protoreflect.StringKind: {"string", ""}, protoreflect.BoolKind: {"boolean", ""},
	protoreflect.DoubleKind: {"number", "double"}, protoreflect.Int32Kind: {"integer", "int32"},
}

// enum returns a reference to the schema of an enum. The description has a line for each word.
func (s *schemas) enum(d protoreflect.EnumDescriptor) (*model.Schema, error) {
	name := string(d.Name())
	if _, there := s.all.Get(name); there {
		return model.Ref(name), nil
	}
	words, err := contract.WordsOf(d)
	if err != nil {
		return nil, err
	}
	lines := []string{commentOf(d), ""}
	for _, word := range words.All {
		lines = append(lines, "- `"+word+"`: "+commentOf(d.Values().ByNumber(words.Number[word])))
	}
	return s.add(name, &model.Schema{Type: model.Types{"string"}, Description: strings.Join(lines, "\n"), Enum: words.All}), nil
}

// narrow adds the constraints in the contract to the schema of a value.
func narrow(schema *model.Schema, by *optionsv1.Schema) error {
	if by.GetDefault() != "" {
		schema.Default = json.RawMessage(by.GetDefault())
		if !json.Valid([]byte(by.GetDefault())) {
			return fmt.Errorf("generate: the default %q is not JSON", by.GetDefault())
		}
	}
	if by.GetFormat() != "" {
		schema.Format = by.GetFormat()
	}
	schema.Enum, schema.Pattern = by.GetEnum(), by.GetPattern()
	schema.MinLength, schema.MaxLength = by.GetMinLength(), by.GetMaxLength()
	schema.Minimum, schema.Maximum = by.Minimum, by.Maximum
	return nil
}

// citations matches citations of docs/behaviour, which partners cannot read.
var citations = regexp.MustCompile(`\s*\(behaviour:[^)]*\)`)

// commentOf returns the comment on a declaration, without citations.
func commentOf(d protoreflect.Descriptor) string {
	comment := d.ParentFile().SourceLocations().ByDescriptor(d).LeadingComments
	var lines []string
	for line := range strings.SplitSeq(comment, "\n") {
		lines = append(lines, strings.TrimSpace(line))
	}
	return citations.ReplaceAllString(strings.TrimSpace(strings.Join(lines, " ")), "")
}
