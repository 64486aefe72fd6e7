/* Symbols as large as what the caller owns: ../sizes.sh reads them. */
#include "sabot_shoe.h"

char ram_of_shoe[sizeof(sabot_shoe)];
char ram_of_event[sizeof(sabot_event)];
