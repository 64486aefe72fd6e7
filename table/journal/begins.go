package journal

// Begins is the record after which the parts in the folder begin: those up to it were moved to an archive, or are gone.
// It is 0 for a journal that has its first part.
func (r *Reader) Begins() (record uint64, err error) {
	record, err = r.firstAfter()
	return record, r.fault("read where the folder begins", err)
}

func (r *Reader) firstAfter() (uint64, error) {
	numbers, err := r.shelf.all()
	if err != nil || len(numbers) == 0 {
		return 0, err
	}
	first, err := r.shelf.get(numbers[0])
	if err != nil || first.Before == 0 {
		return 0, err
	}
	return first.Record, nil
}
