package people_test

import (
	"testing"

	"github.com/sabot-table/sabot/internal/testkit/peopletest"
)

func TestMemory(t *testing.T) { peopletest.Store(t, peopletest.NewMemory()) }
