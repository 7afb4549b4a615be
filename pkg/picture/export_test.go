package picture

// NewEncoderOf returns an Encoder that uses at most the given number of bytes for all pictures
// together.
func NewEncoderOf(most int64) *Encoder { return &Encoder{memory: newMemory(most)} }
