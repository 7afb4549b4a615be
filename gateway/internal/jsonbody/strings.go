package jsonbody

import "slices"

// maxText is the longest string that Strings accepts, in bytes.
const maxText = 4096

// Strings reads the known keys of an object. Each must be there, with a string that
// is not empty. Other keys are ignored. Errors: INVALID_ARGUMENT
// PUBLIC_API_VALIDATION_ERROR; the message begins with the JSON path.
func Strings(raw []byte, known ...string) (map[string]string, error) {
	d := decoder{raw: raw}
	if d.space(); d.pos == len(raw) {
		return nil, d.fault("must not be empty")
	}
	if k := d.kind(); k != anObject {
		return nil, d.wrongKind(anObject, k)
	}
	values := map[string]string{}
	err := d.members(&keys{}, func(key string) error {
		if !slices.Contains(known, key) {
			return d.skip()
		}
		value, err := d.text()
		values[key] = value
		return err
	})
	if err != nil {
		return nil, err
	}
	if d.space(); d.pos != len(raw) {
		return nil, d.malformed()
	}
	for _, key := range known {
		if _, there := values[key]; !there {
			d.push(step{key: key})
			return nil, d.fault(required)
		}
	}
	return values, nil
}

// text reads a string for Strings.
func (d *decoder) text() (string, error) {
	if k := d.kind(); k != aString {
		return "", d.wrongKind(aString, k)
	}
	s, fault, err := d.string()
	switch {
	case err != nil:
		return "", err
	case fault != "":
		return "", d.fault("must %s", fault)
	case s == "":
		return "", d.fault("must not be empty")
	case len(s) > maxText:
		return "", d.fault("must be at most %d bytes", maxText)
	}
	return s, nil
}
