package jsonbody

// fewKeys is the number of keys up to which a list is faster than a map.
const fewKeys = 16

// keys are the keys that an object has had so far. It must not be quadratic, because
// a client can send many keys.
type keys struct {
	few  []string
	many map[string]struct{}
}

func (k *keys) has(key string) bool {
	if k.many != nil {
		_, ok := k.many[key]
		return ok
	}
	for _, one := range k.few {
		if one == key {
			return true
		}
	}
	return false
}

// add adds a key; it returns false if the key was there already.
func (k *keys) add(key string) bool {
	if k.has(key) {
		return false
	}
	if k.many != nil {
		k.many[key] = struct{}{}
		return true
	}
	k.few = append(k.few, key)
	if len(k.few) > fewKeys {
		k.many = make(map[string]struct{}, 2*len(k.few))
		for _, one := range k.few {
			k.many[one] = struct{}{}
		}
	}
	return true
}
