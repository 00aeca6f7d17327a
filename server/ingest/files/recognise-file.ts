import { firstRecord, givenName, repeatedNames } from '../file-header.ts'
import { TripFileError } from '../trip-file-error.ts'
import { recogniseLayout } from '../recognise-layout.ts'
import { plainName } from '../layouts/layout.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import type { FileGiven, FileHead, Recognised } from './file-kind.ts'
import { fileKinds } from './file-kinds.ts'
import { isJsonFile } from './is-json-file.ts'
import { readWhole } from './read-whole.ts'

/** Parses a file that looks like JSON. */
async function jsonOf(filePath: string): Promise<unknown> {
  const text = await readWhole(filePath)
  try {
    return JSON.parse(text)
  } catch {
    throw new TripFileError(
      'The file looks like JSON, but it is cut off or damaged. Send it again, or send the table as CSV.',
    )
  }
}

/** What a sent file is, by its content; null: trips, or something that nobody knows. Throws TripFileError for JSON that is of no use. */
export async function recogniseFile(
  filePath: string,
  fileName: string,
  given: FileGiven,
  clock: CivilClock,
): Promise<Recognised | null> {
  const isJson = await isJsonFile(filePath)
  const first = isJson ? { header: [], firstLine: '', isUnclosed: false } : await firstRecord(filePath)
  if (!first || recogniseLayout(first.header, fileName)) return null
  const head: FileHead = {
    fileName,
    json: isJson ? await jsonOf(filePath) : undefined,
    header: first.header.map(givenName),
    firstLine: first.firstLine,
  }
  for (const each of fileKinds) {
    const recognised = each.recognise(head, given, clock)
    if (!recognised) continue
    const used = new Set(recognised.table?.columns.map(plainName))
    const twice = repeatedNames(first.header).find(({ name }) => used.has(plainName(name)))
    if (twice)
      throw new TripFileError(
        `Columns ${twice.positions.join(' and ')} of the file have the same name, '${twice.name}'. Rename or remove all but one and send it again.`,
      )
    return recognised
  }
  if (isJson)
    throw new TripFileError(
      'The file is JSON, but neither a list of 311 requests nor the vehicles of a GBFS feed. Send trips as CSV; boundaries are taken by Geographies.',
    )
  return null
}
