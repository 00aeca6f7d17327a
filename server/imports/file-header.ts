import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { toPlainName } from '#server/table-files/column-names.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { readFileLines } from './read-trip-file.ts'

/** The largest table of a city has a tenth of this. */
const maxColumns = 500

/**
 * Returns the names of columns: the fields of a table's first record, trimmed. If several columns have the
 * same name, their positions are added, so that the names are unique.
 * @throws TableFileError if there are too many columns.
 */
export function makeColumnNamesUnique(fields: readonly string[]): string[] {
  if (fields.length > maxColumns) {
    throw new TableFileError(
      `The file has ${fields.length.toLocaleString('en')} columns; at most ${maxColumns} are read. Remove the columns that are not needed and send it again.`,
    )
  }
  const names = fields.map((name) => name.trim().replace(/^\uFEFF/, ''))
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  return names.map((name, index) =>
    name !== '' && (counts.get(name) ?? 0) > 1 ? `${name} (column ${index + 1})` : name,
  )
}

/** Returns a column's name as in the file, without the position that `makeColumnNamesUnique` added. */
export const getOriginalName = (name: string): string => name.replace(/ \(column \d+\)$/, '')

/** Finds names that several columns have, ignoring case and punctuation, with their positions from 1. */
export function findRepeatedNames(header: readonly string[]): { name: string; positions: number[] }[] {
  const columns = new Map<string, { name: string; positions: number[] }>()
  for (const [index, uniqueName] of header.entries()) {
    const name = getOriginalName(uniqueName)
    const previous = columns.get(toPlainName(name))
    if (previous) previous.positions.push(index + 1)
    else if (toPlainName(name) !== '') columns.set(toPlainName(name), { name, positions: [index + 1] })
  }
  return [...columns.values()].filter(({ positions }) => positions.length > 1)
}

/** Reads a table's first record; null without records. `isUnclosed`: it has an open quotation mark. */
export async function readFirstRecord(
  filePath: string,
): Promise<{ header: string[]; firstLine: string; isUnclosed: boolean } | null> {
  for await (const records of readCsvRecords(readFileLines(filePath))) {
    const [record] = records
    if (record)
      return {
        header: makeColumnNamesUnique(record.fields ?? []),
        firstLine: record.raw.replace(/^\uFEFF/, ''),
        isUnclosed: record.fields === null,
      }
  }
  return null
}

/**
 * Reads the names of a table's columns.
 * @throws TableFileError if the file is empty, its first line has an open quotation mark, or there are fewer
 * than three columns or too many.
 */
export async function readHeader(filePath: string): Promise<string[]> {
  const firstRecord = await readFirstRecord(filePath)
  if (!firstRecord) throw new TableFileError('The file has no line of column names.')
  const { header, firstLine, isUnclosed } = firstRecord
  if (isUnclosed)
    throw new TableFileError(
      'The first line of the file has an open quotation mark: no column names can be read.',
    )
  if (header.length < 3)
    throw new TableFileError(
      `The first line of the file has ${header.length === 1 ? 'one column' : 'two columns'} ('${firstLine.slice(0, 60)}'). A trip file is CSV with a line of column names and one trip a row.`,
    )
  return header
}
