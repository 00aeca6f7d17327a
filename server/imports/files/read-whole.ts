import { findJsonExcess, type JsonBounds } from '#server/http/json-excess.ts'
import { fileBytes } from '../open-trip-file.ts'
import { notText } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'

/** Bytes to which a file may decompress that is read as a whole. */
export const maxWholeBytes = 128 * 1024 * 1024

/** The text of a file that is read as a whole. Throws TableFileError for a larger one, and for binary ones. */
export async function readWhole(filePath: string): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of fileBytes(filePath)) {
    bytes += part.length
    if (bytes > maxWholeBytes)
      throw new TableFileError(
        `The file unpacks to more than ${maxWholeBytes / 1024 / 1024} MB, which is too large for JSON. Send it as CSV or in parts.`,
      )
    parts.push(part)
  }
  const whole = Buffer.concat(parts)
  const problem = notText(whole)
  if (problem) throw new TableFileError(problem)
  // By its byte order mark, else UTF-8: JSON allows no other encoding.
  const encoding =
    whole[0] === 0xff && whole[1] === 0xfe
      ? 'utf-16le'
      : whole[0] === 0xfe && whole[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(whole)
}

/**
 * Limits of JSON files, checked before they are parsed: 60 MB of opening brackets took half a minute of the event loop. The largest
 * lists of requests of cities have a million values.
 */
const bounds: JsonBounds = { depth: 64, values: 5_000_000, fields: 10_000, length: 1 << 20 }

/** The value of a JSON file; `content` is what the file should hold, for messages. Throws TableFileError for one that is damaged or exceeds a limit. */
export async function readJsonFile(filePath: string, content: string): Promise<unknown> {
  const text = await readWhole(filePath)
  const excess = findJsonExcess(Buffer.from(text), bounds)
  if (excess) throw new TableFileError(`The JSON of the file ${excess}. Send ${content} as CSV or in parts.`)
  try {
    return JSON.parse(text)
  } catch {
    throw new TableFileError(
      `The file looks like JSON, but it is cut off or damaged. Send it again, or send ${content} as CSV.`,
    )
  }
}
