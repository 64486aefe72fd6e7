package irregularity

// most is how many choices an irregularity has at most.
const most = 4

// Choices are the ways to put an irregularity right, the first being proposed.
type Choices struct {
	list [most]Choice
	n    uint8
}

// Of makes a list of choices.
func Of(list ...Choice) Choices {
	var c Choices
	c.n = uint8(copy(c.list[:], list))
	return c
}

// All yields the choices in order.
func (c Choices) All(yield func(Choice) bool) {
	for _, one := range c.list[:c.n] {
		if !yield(one) {
			return
		}
	}
}

// Has says whether the choice is among them.
func (c Choices) Has(choice Choice) bool {
	for one := range c.All {
		if one == choice {
			return true
		}
	}
	return false
}

// Without returns the choices but one.
func (c Choices) Without(choice Choice) Choices {
	var rest Choices
	for one := range c.All {
		if one != choice {
			rest.list[rest.n] = one
			rest.n++
		}
	}
	return rest
}
