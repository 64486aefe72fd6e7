package broker

// MostOfUser is how many connections a user may have.
const MostOfUser = mostOfUser
