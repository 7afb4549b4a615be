// Package canarytest fills a value with strings that name the fields they are in, so tests can
// search every response for each string. Fields that are added later are filled automatically.
//
// It is for tests and must never be linked into a program.
package canarytest

import (
	"fmt"
	"reflect"
	"time"

	"google.golang.org/protobuf/types/known/wrapperspb"
)

// Time is the value to which all times are set.
var Time = time.Date(2026, 3, 4, 5, 6, 7, 8000, time.UTC)

// MapKey is the only key in filled maps.
const MapKey = "linkedin"

// Fill sets all fields of *to. It sets strings to text(path), where path is like
// `Cv.Content.Experiences.Bullets`, without indexes; booleans to true; and lists to two items. It
// returns the paths of all strings.
func Fill(to any, text func(path string) string) []string {
	f := filler{text: text}
	f.fill(reflect.ValueOf(to).Elem(), "")
	return f.paths
}

type filler struct {
	text  func(string) string
	paths []string
}

func (f *filler) fill(v reflect.Value, path string) {
	switch v.Kind() {
	case reflect.String:
		f.paths = append(f.paths, path)
		v.SetString(f.text(path))
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		if wrapper, ok := v.Interface().(*wrapperspb.StringValue); ok {
			f.fill(reflect.ValueOf(&wrapper.Value).Elem(), path)
			return
		}
		f.fill(v.Elem(), path)
	case reflect.Slice:
		if v.Type().Elem().Kind() == reflect.Uint8 {
			f.paths = append(f.paths, path)
			v.SetBytes([]byte(f.text(path)))
			return
		}
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		for i := range v.Len() {
			f.fill(v.Index(i), path)
		}
	case reflect.Map:
		value := reflect.New(v.Type().Elem()).Elem()
		f.fill(value, path)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(reflect.ValueOf(MapKey), value)
	case reflect.Struct:
		f.fillStruct(v, path)
	default:
		panic(fmt.Sprintf("canary: cannot fill a %s at %s", v.Type(), path))
	}
}

func (f *filler) fillStruct(v reflect.Value, path string) {
	if v.Type() == reflect.TypeFor[time.Time]() {
		v.Set(reflect.ValueOf(Time))
		return
	}
	for i := range v.NumField() {
		if !v.Type().Field(i).IsExported() {
			continue // an internal field of a message
		}
		name := v.Type().Field(i).Name
		if path != "" {
			name = path + "." + name
		}
		f.fill(v.Field(i), name)
	}
}
