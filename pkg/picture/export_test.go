package picture

// NewEncoderOf makes an Encoder whose pictures take at most so many bytes together.
func NewEncoderOf(most int64) *Encoder { return &Encoder{memory: newMemory(most)} }
