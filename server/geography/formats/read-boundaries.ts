import { BoundaryFileError } from './boundary-file-error.ts'
import type { ReadBoundaries } from './boundaries-read.ts'
import { formats } from './formats.ts'
import { LIMITS } from './limits.ts'
import { whatFileIs } from './what-file-is.ts'

/**
 * Reads a boundary file: recognised by what is in it, and by its name only when that says nothing.
 * @throws BoundaryFileError with a message for the person who sent the file.
 */
export function readBoundaries(fileName: string, bytes: Uint8Array): ReadBoundaries {
  if (bytes.length === 0) throw new BoundaryFileError('empty-file', 'The file is empty (0 bytes).')
  if (bytes.length > LIMITS.fileBytes) {
    throw new BoundaryFileError(
      'file-too-large',
      `The file has ${Math.ceil(bytes.length / 2 ** 20)} MB; at most ${LIMITS.fileBytes / 2 ** 20} MB are read. Simplify the borders or send it in parts.`,
    )
  }
  const name = fileName.toLowerCase()
  const head = bytes.subarray(0, LIMITS.headBytes)
  const what = whatFileIs(head)
  if (what !== null) throw new BoundaryFileError(what.code, what.text)
  const answers = formats.map((format) => ({ format, answer: format.recognises(name, head) }))
  const found =
    answers.find(({ answer }) => answer === 'by content') ??
    answers.find(({ answer }) => answer === 'by name')
  if (found === undefined) {
    throw new BoundaryFileError(
      'unknown-format',
      'The file is not of a kind that holds shapes. These are read: GeoJSON, zipped shapefile, KML, KMZ, GeoPackage, MDS Geography.',
    )
  }
  return found.format.read(bytes)
}
