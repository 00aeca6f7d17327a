import { findJsonExcess, type JsonBounds } from '#server/http/json-excess.ts'
import { findBinaryProblem } from '#server/table-files/text-lines.ts'
import { TableFileError } from '#server/table-files/table-file-error.ts'
import { readFileBytes } from '../read-trip-file.ts'

/** The maximum decompressed size of a file that is read into memory. */
export const maxTextBytes = 128 * 1024 * 1024

/** Detects the encoding by the byte order mark, else UTF-8: JSON allows no other encoding. */
function detectEncoding(head: Uint8Array): string {
  if (head[0] === 0xff && head[1] === 0xfe) return 'utf-16le'
  return head[0] === 0xfe && head[1] === 0xff ? 'utf-16be' : 'utf-8'
}

/** The number of bytes in which white space is skipped before the first character of JSON. */
const headBytes = 4096

/** Returns whether a file begins like JSON: with a bracket. */
export async function isJsonFile(filePath: string): Promise<boolean> {
  for await (const chunk of readFileBytes(filePath)) {
    const head = chunk.subarray(0, headBytes)
    return /^\s*(\[|\{)/.test(new TextDecoder(detectEncoding(head)).decode(head))
  }
  return false
}

/** Reads a file into a string. @throws TableFileError if it is too large or binary. */
export async function readFileText(filePath: string): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const chunk of readFileBytes(filePath)) {
    bytes += chunk.length
    if (bytes > maxTextBytes)
      throw new TableFileError(
        `The file unpacks to more than ${maxTextBytes / 1024 / 1024} MB, which is too large for JSON. Send it as CSV or in parts.`,
      )
    parts.push(chunk)
  }
  const content = Buffer.concat(parts)
  const problem = findBinaryProblem(content)
  if (problem) throw new TableFileError(problem)
  return new TextDecoder(detectEncoding(content)).decode(content)
}

/**
 * Limits of JSON files, checked before they are parsed: parsing 60 MB of opening brackets blocked the event
 * loop for half a minute. The largest lists of requests of cities have a million values.
 */
const bounds: JsonBounds = { depth: 64, values: 5_000_000, fields: 10_000, length: 1 << 20 }

/**
 * Parses a JSON file. `content`: what the file should contain, for the message of an error.
 * @throws TableFileError if it is damaged or exceeds a limit.
 */
export async function readJsonFile(filePath: string, content: string): Promise<unknown> {
  const text = await readFileText(filePath)
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
