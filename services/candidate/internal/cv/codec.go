package cv

import (
	"fmt"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	"google.golang.org/protobuf/encoding/protojson"
	"google.golang.org/protobuf/types/known/wrapperspb"
)

// version is the version of the stored form. Increase it if existing code would misread a changed form, and
// make Decode read both versions.
const version = 1

// Encode returns the stored form of c, which is its JSON with the version as "v".
func Encode(c *Content) ([]byte, error) {
	raw, err := protojson.Marshal(c)
	if err != nil {
		return nil, fmt.Errorf("cv: encode: %w", err)
	}
	members := jsontext.Value(raw)
	// The white space that protojson writes differs between builds.
	if err := members.Compact(); err != nil {
		return nil, fmt.Errorf("cv: encode: %w", err)
	}
	if members = members[len("{"):]; len(members) > len("}") {
		members = append(jsontext.Value(","), members...)
	}
	return append(fmt.Appendf(nil, `{"v":%d`, version), members...), nil
}

// Decode parses the output of Encode. It does not use protojson, which takes three times as long as decoding
// into the message's Go struct, because Decode is called whenever a partner reads a CV.
func Decode(raw []byte) (*Content, error) {
	var stored struct {
		Version int `json:"v"`
		Content
	}
	if err := json.Unmarshal(raw, &stored, nullableTexts, json.MatchCaseInsensitiveNames(true)); err != nil {
		return nil, fmt.Errorf("cv: decode: %w", err)
	}
	if stored.Version != version {
		return nil, fmt.Errorf("cv: decode: unknown version %d", stored.Version)
	}
	return &stored.Content, nil
}

// nullableTexts decodes a JSON string into a StringValue message.
var nullableTexts = json.WithUnmarshalers(json.UnmarshalFromFunc(func(from *jsontext.Decoder, to *wrapperspb.StringValue) error {
	return json.UnmarshalDecode(from, &to.Value)
}))
