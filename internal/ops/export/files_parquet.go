package export

import (
	"errors"
	"io"
	"os"
	"path/filepath"

	"github.com/parquet-go/parquet-go"
)

// groupRows is how many rows a group has. One group of each table is in memory.
const groupRows = 50_000

// parquetFolder is a folder with a file for each table.
type parquetFolder struct {
	files  []*os.File
	tables []parquetTable
}

// parquetTable writes the rows of one table.
type parquetTable interface {
	write(row any) error
	close() error
}

func beginParquet(folder string, o *Files) (format, error) {
	f := &parquetFolder{}
	for _, t := range o.Tables {
		file, err := create(filepath.Join(folder, t.Name+".parquet"))
		if err != nil {
			return nil, errors.Join(err, f.close())
		}
		f.files, f.tables = append(f.files, file), append(f.tables, t.parquet(file))
	}
	return f, nil
}

// batchRows is how many rows are written at once.
const batchRows = 512

type parquetRows[T any] struct {
	to   *parquet.GenericWriter[T]
	rows []T
}

func newParquetRows[T any](to io.Writer) *parquetRows[T] {
	return &parquetRows[T]{to: parquet.NewGenericWriter[T](to, parquet.Compression(&parquet.Zstd),
		parquet.MaxRowsPerRowGroup(groupRows), parquet.CreatedBy("sabot", "", ""))}
}

func (p *parquetRows[T]) write(row any) error {
	if p.rows = append(p.rows, row.(T)); len(p.rows) < batchRows {
		return nil
	}
	return p.flush()
}

func (p *parquetRows[T]) flush() error {
	_, err := p.to.Write(p.rows)
	p.rows = p.rows[:0]
	return err
}

func (p *parquetRows[T]) close() error { return errors.Join(p.flush(), p.to.Close()) }

func (f *parquetFolder) write(table int, row any) error { return f.tables[table].write(row) }

func (f *parquetFolder) close() (err error) {
	for i, t := range f.tables {
		err = errors.Join(err, t.close(), f.files[i].Close())
	}
	return err
}
