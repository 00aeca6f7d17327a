import { csvRecords } from '#server/table-files/csv-records.ts'
import { plainName } from '#server/table-files/column-names.ts'
import { fileLines } from './open-trip-file.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'

/** The largest table of a city has a tenth of these; more would only cost time. */
const maxColumns = 500

/**
 * The names of columns, from the fields of a table's first record. A name that several columns have gets their positions,
 * The names of columns, from the fields of a table's first record. If several columns have a name, their positions are added,
 */
export function headerNames(fields: readonly string[]): string[] {
  if (fields.length > maxColumns) {
    throw new TableFileError(
      `The file has ${fields.length.toLocaleString('en')} columns; at most ${maxColumns} are read. Remove the columns that are not needed and send it again.`,
    )
  }
  const names = fields.map((name) => name.trim().replace(/^\uFEFF/, ''))
  const count = new Map<string, number>()
  for (const name of names) count.set(name, (count.get(name) ?? 0) + 1)
  return names.map((name, at) =>
    name !== '' && (count.get(name) ?? 0) > 1 ? `${name} (column ${at + 1})` : name,
  )
}

/** A name as in the file, without the position that `headerNames` added. */
export const givenName = (name: string): string => name.replace(/ \(column \d+\)$/, '')

/** Names of several columns of a header, whatever their spelling, with the positions of the columns starting at 1. */
export function repeatedNames(header: readonly string[]): { name: string; positions: number[] }[] {
  const places = new Map<string, { name: string; positions: number[] }>()
  for (const [at, given] of header.entries()) {
    const name = givenName(given)
    const known = places.get(plainName(name))
    if (known) known.positions.push(at + 1)
    else if (plainName(name) !== '') places.set(plainName(name), { name, positions: [at + 1] })
  }
  return [...places.values()].filter(({ positions }) => positions.length > 1)
}

/** The first record of a table and the names of its columns; null for a file without a record. */
export async function firstRecord(
  filePath: string,
): Promise<{ header: string[]; firstLine: string; isUnclosed: boolean } | null> {
  for await (const records of csvRecords(fileLines(filePath))) {
    const [first] = records
    if (first)
      return {
        header: headerNames(first.fields ?? []),
        firstLine: first.raw.replace(/^\uFEFF/, ''),
        isUnclosed: first.fields === null,
      }
  }
  return null
}

/** The names of the columns of a table. Throws TableFileError if it has none. */
export async function readHeader(filePath: string): Promise<string[]> {
  const first = await firstRecord(filePath)
  if (!first) throw new TableFileError('The file has no line of column names.')
  const { header, firstLine, isUnclosed } = first
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
