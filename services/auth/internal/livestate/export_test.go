package livestate

// AfterRead runs f between the authoritative read and the write of the record.
func (r *Resolver) AfterRead(f func()) { r.afterRead = f }
