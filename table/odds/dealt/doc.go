// Package dealt checks package odds by the engine: it deals rounds under the best play that odds has found, and counts
// what they come to. What odds cannot work out, since the holder's play decides it too, is found here and never called
// exact.
//
// Guests who do not play their best play by a [Strategy]: by the textbook, or as the bank does. The pit's figures and
// simulated tables have their guests from here.
//
// Each round comes from a fresh shuffle of the query's shoe. Rounds are dealt in batches, each from chance of its own,
// made of the seed and of the batch's number: what comes out is the same on however many cores the batches are dealt,
// and in whatever order.
//
// Everything is summed in integers. The stake is the least on which every payout of the house comes out even, and the
// table takes any stake: limits and rounding change what a house keeps of small stakes, and are no part of the odds. A
// guest who is alone need not play two boxes here, whatever the house says.
package dealt
