import { BoundaryFileError } from './boundary-file-error.ts'

interface DecodedText {
  text: string
  /** Whether Windows-1252 was assumed, because no encoding was declared and the text is not UTF-8. */
  isGuessed: boolean
}

/** Decodes text by its byte order mark, the declared encoding, or else as UTF-8 or Windows-1252. */
export function decodeText(bytes: Uint8Array, declaredEncoding: string | null = null): DecodedText {
  const markedEncoding = detectEncodingMark(bytes)
  try {
    if (markedEncoding !== null)
      return { text: new TextDecoder(markedEncoding, { fatal: true }).decode(bytes), isGuessed: false }
    if (declaredEncoding !== null && isEncoding(declaredEncoding))
      return { text: new TextDecoder(declaredEncoding).decode(bytes), isGuessed: false }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), isGuessed: false }
  } catch {
    if (markedEncoding !== null && markedEncoding !== 'utf-8') {
      throw new BoundaryFileError(
        'broken-text',
        `The file says it is ${markedEncoding.toUpperCase()} text, but its bytes are not. Save it as UTF-8 and send it again.`,
      )
    }
    return { text: new TextDecoder('windows-1252').decode(bytes), isGuessed: true }
  }
}

/** Returns the encoding that the first bytes indicate; null if they indicate none. */
function detectEncodingMark(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  // UTF-16 without a mark. Its text, such as JSON and XML, starts with two ASCII characters.
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le'
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be'
  return null
}

/** Reads the start of a file as text, without leading blanks, to detect its format; '' if it is not text. */
export function readHeadText(head: Uint8Array): string {
  try {
    // An incomplete character at the end does not matter, but UTF-16 needs an even length.
    const evenHead = head.subarray(0, head.length - (head.length % 2))
    return decodeText(evenHead).text.trimStart()
  } catch {
    return ''
  }
}

/** Whether a label names a supported text encoding. */
export function isEncoding(label: string): boolean {
  try {
    return new TextDecoder(label).encoding !== ''
  } catch {
    return false
  }
}
