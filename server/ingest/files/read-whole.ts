import { fileBytes } from '../open-trip-file.ts'
import { notText } from '../text-lines.ts'
import { TripFileError } from '../trip-file-error.ts'

/** A file that is read as a whole may unpack to this many bytes. */
export const mostWhole = 128 * 1024 * 1024

/** The text of a file that is read as a whole. Throws TripFileError for a larger one, and for one that is no text. */
export async function readWhole(filePath: string): Promise<string> {
  const parts: Buffer[] = []
  let bytes = 0
  for await (const part of fileBytes(filePath)) {
    bytes += part.length
    if (bytes > mostWhole)
      throw new TripFileError(
        `The file unpacks to more than ${mostWhole / 1024 / 1024} MB, which is too large for JSON. Send it as CSV or in parts.`,
      )
    parts.push(part)
  }
  const whole = Buffer.concat(parts)
  const problem = notText(whole)
  if (problem) throw new TripFileError(problem)
  // By its mark, else UTF-8: JSON knows no other.
  const encoding =
    whole[0] === 0xff && whole[1] === 0xfe
      ? 'utf-16le'
      : whole[0] === 0xfe && whole[1] === 0xff
        ? 'utf-16be'
        : 'utf-8'
  return new TextDecoder(encoding).decode(whole)
}
