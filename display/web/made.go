package web

// made are the short lists that models have.
type made struct {
	hands  slab[handModel]
	rows   slab[rowModel]
	groups slab[groupModel]
	keys   slab[keyModel]
}

// slab is a long list that short ones are cut from, so that a drawing has to make few.
type slab[T any] []T

// take cuts off a list of so many.
func (s *slab[T]) take(n int) []T {
	if len(*s) < n {
		*s = make([]T, max(n, 32))
	}
	list := (*s)[:n:n]
	*s = (*s)[n:]
	return list
}
