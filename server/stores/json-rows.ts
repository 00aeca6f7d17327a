import { parseErrorCode, FactError } from './engine.ts'
import { createTimeSlicer } from './time-slices.ts'

/** Characters that are parsed at once, which takes about 5 ms. */
const chunkLength = 500_000
/** The text between two rows in format JSON. No string contains it: newlines in strings are escaped. */
const betweenRows = '\n\t\t},\n\t\t{\n'
const beforeRows = '"data":\n\t[\n'
const afterRows = '\n\t],\n'

/**
 * Parses the rows of a response in ClickHouse's format JSON. Long responses are parsed in chunks and yield
 * the thread in between. An error that occurs after rows were sent is text at the end of the response and is
 * thrown as FactError.
 */
export async function parseJsonRows(text: string): Promise<unknown[]> {
  try {
    if (text.length <= chunkLength) return (JSON.parse(text) as { data: unknown[] }).data
    return await parseRowsInChunks(text)
  } catch {
    const errorStart = text.lastIndexOf('Code: ')
    throw new FactError(
      parseErrorCode(text.slice(Math.max(0, errorStart))),
      errorStart < 0 ? 'The response of the fact store broke off' : text.slice(errorStart, errorStart + 1000),
    )
  }
}

/** Parses rows in chunks. @throws SyntaxError if the response is cut off. */
async function parseRowsInChunks(text: string): Promise<unknown[]> {
  const nextSlice = createTimeSlicer()
  const start = text.indexOf(beforeRows) + beforeRows.length
  const end = text.lastIndexOf(afterRows)
  // Parses the text around the rows; throws if the response is cut off.
  const { rows: rowCount } = JSON.parse(text.slice(0, start) + text.slice(end)) as { rows: number }
  const rows: unknown[] = []
  for (let from = start; from < end;) {
    const separator = text.indexOf(betweenRows, from + chunkLength)
    const until = separator < 0 || separator >= end ? end : separator + '\n\t\t}'.length
    for (const row of JSON.parse(`[${text.slice(from, until)}]`) as unknown[]) rows.push(row)
    from = until + ','.length
    await nextSlice()
  }
  if (rows.length !== rowCount) throw new SyntaxError(`${rows.length} of ${rowCount} rows`)
  return rows
}
