import { parseErrorCode, FactError } from './engine.ts'
import { createTimeSlicer } from './time-slices.ts'

/** Characters of an answer that are parsed at once; about 5 ms. */
const portion = 500_000

/** What is between two rows of ClickHouse's format JSON, and in no text, where ends of lines are escaped. */
const betweenRows = '\n\t\t},\n\t\t{\n'
const beforeRows = '"data":\n\t[\n'
const afterRows = '\n\t],\n'

/**
 * Rows of an answer in the format JSON. Long answers are parsed in portions, between which others have the thread. An error that comes
 * while rows are on their way is a text behind them: then a FactError is thrown.
 */
export async function parseJsonRows(text: string): Promise<unknown[]> {
  try {
    if (text.length <= portion) return (JSON.parse(text) as { data: unknown[] }).data
    return await parseRowsInChunks(text)
  } catch {
    const at = text.lastIndexOf('Code: ')
    throw new FactError(
      parseErrorCode(text.slice(Math.max(0, at))),
      at < 0 ? 'The answer of the fact store broke off' : text.slice(at, at + 1000),
    )
  }
}

async function parseRowsInChunks(text: string): Promise<unknown[]> {
  const nextSlice = createTimeSlicer()
  const start = text.indexOf(beforeRows) + beforeRows.length
  const end = text.lastIndexOf(afterRows)
  // What is around the rows: throws where the answer broke off.
  const { rows: count } = JSON.parse(text.slice(0, start) + text.slice(end)) as { rows: number }
  const rows: unknown[] = []
  for (let from = start; from < end;) {
    const next = text.indexOf(betweenRows, from + portion)
    const until = next < 0 || next >= end ? end : next + '\n\t\t}'.length
    for (const row of JSON.parse(`[${text.slice(from, until)}]`) as unknown[]) rows.push(row)
    from = until + ','.length
    await nextSlice()
  }
  if (rows.length !== count) throw new SyntaxError(`${rows.length} of ${count} rows`)
  return rows
}
