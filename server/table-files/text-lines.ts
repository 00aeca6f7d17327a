import { isAscii } from 'node:buffer'
import { TableFileError } from './table-file-error.ts'

/** The first bytes of files in formats that cannot be read: bzip2, xz, 7-Zip, RAR and Zstandard. */
const unsupportedSignatures = [
  [0x42, 0x5a, 0x68, 0x31],
  [0x42, 0x5a, 0x68, 0x39],
  [0xfd, 0x37, 0x7a, 0x58, 0x5a],
  [0x37, 0x7a, 0xbc, 0xaf],
  [0x52, 0x61, 0x72, 0x21, 0x1a],
  [0x28, 0xb5, 0x2f, 0xfd],
]

/** Finds the error message if the first bytes of a file show that it is not text; null otherwise. */
export function findBinaryProblem(firstBytes: Uint8Array): string | null {
  const startsWith = (...bytes: number[]): boolean => bytes.every((byte, index) => firstBytes[index] === byte)
  if (firstBytes.length === 0) return 'The file is empty (0 bytes).'
  if (startsWith(0x50, 0x4b, 3, 4))
    return 'The file is a zip archive or a spreadsheet that was packed once more. Unpack it, or save the sheet as CSV, and send that.'
  if (Buffer.from(firstBytes.subarray(257, 262)).toString('latin1') === 'ustar')
    return 'The file is a tar archive, which may contain several files. Unpack it and send the files in it one by one, packed with gzip or not.'
  if (unsupportedSignatures.some((bytes) => startsWith(...bytes)))
    return 'The file is packed in a way that is not read here (bzip2, xz, 7-Zip, RAR or Zstandard). Unpack it, or pack it with gzip, and send it again.'
  if (startsWith(0x89, 0x50, 0x4e, 0x47) || startsWith(0xff, 0xd8, 0xff))
    return 'The file is a picture, not a table. Send a CSV file.'
  if (
    /^\s*<(!--|!doctype|\?xml|[a-z]+[\s/>])/i.test(
      Buffer.from(firstBytes.subarray(0, 1024))
        .toString('utf8')
        .replace(/^\uFEFF/, ''),
    )
  )
    return 'The file is a web page, not a table: the download may have answered with an error or a sign-in page. Open it in a browser, download the table and send that.'
  if (startsWith(0x25, 0x50, 0x44, 0x46)) return 'The file is a PDF, not a table. Send a CSV file.'
  if (startsWith(0x50, 0x41, 0x52, 0x31)) return 'The file is Parquet. Send it as CSV.'
  if (!startsWith(0xff, 0xfe) && !startsWith(0xfe, 0xff) && firstBytes.subarray(0, 4096).includes(0))
    return 'The file contains binary data, not text. Send a CSV file.'
  return null
}

/** Detects the encoding: UTF-16 by its byte order mark, else UTF-8 if valid, else Windows-1252. */
function detectDecoder(firstBytes: Uint8Array): TextDecoder {
  if (firstBytes[0] === 0xff && firstBytes[1] === 0xfe) return new TextDecoder('utf-16le')
  if (firstBytes[0] === 0xfe && firstBytes[1] === 0xff) return new TextDecoder('utf-16be')
  try {
    // With `stream`, because the bytes may end within a character.
    new TextDecoder('utf-8', { fatal: true }).decode(firstBytes, { stream: true })
    return new TextDecoder('utf-8')
  } catch {
    return new TextDecoder('windows-1252')
  }
}

/**
 * Returns a function that decodes the chunks of a text. Most chunks are ASCII, which can be decoded as Latin-1:
 * many times faster and into strings of half the size. The decoder is used for other chunks, for a chunk that
 * may continue a character of the previous one, and for the first chunk, because it may begin with a byte
 * order mark.
 */
function createChunkDecoder(decoder: TextDecoder): (chunk: Buffer) => string {
  const isAsciiBased = !decoder.encoding.startsWith('utf-16')
  let mayContinue = true
  return (chunk) => {
    if (isAsciiBased && !mayContinue && isAscii(chunk)) return chunk.toString('latin1')
    mayContinue = (chunk.at(-1) ?? 0xff) > 0x7f
    return decoder.decode(chunk, { stream: true })
  }
}

/** Splits a text into lines, but not at a final `\r`, because a `\n` may follow in the next chunk. */
function splitLines(text: string): string[] {
  const unified = text.includes('\r') ? text.replaceAll('\r\n', '\n') : text
  return unified.includes('\r') ? unified.split(/\n|\r(?!$)/) : unified.split('\n')
}

/** The maximum number of characters of a line or row. A file without line ends is not a table. */
export const maxLineLength = 1 << 20

/** Yields the lines of a decompressed file in batches. @throws TableFileError if it is not text. */
export async function* readLines(chunks: AsyncIterable<Buffer>): AsyncGenerator<string[]> {
  let decoder: TextDecoder | null = null
  let decode: (chunk: Buffer) => string = () => ''
  let unfinishedLine = ''
  let line = 1
  for await (const chunk of chunks) {
    if (!decoder) {
      const problem = findBinaryProblem(chunk)
      if (problem) throw new TableFileError(problem)
      decoder = detectDecoder(chunk)
      decode = createChunkDecoder(decoder)
    }
    const lines = splitLines(unfinishedLine + decode(chunk))
    unfinishedLine = lines.pop() ?? ''
    const longLineIndex = [...lines, unfinishedLine].findIndex((text) => text.length > maxLineLength)
    if (longLineIndex >= 0)
      throw new TableFileError(
        `Line ${(line + longLineIndex).toLocaleString('en')} of the file is longer than a million characters. Is it a table with one row a line?`,
      )
    line += lines.length
    if (lines.length) yield lines
  }
  if (!decoder) throw new TableFileError('The file is empty (0 bytes).')
  const lastLine = (unfinishedLine + decoder.decode()).replace(/\r$/, '')
  if (lastLine) yield [lastLine]
}
