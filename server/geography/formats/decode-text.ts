import { BoundaryFileError } from './boundary-file-error.ts'
import { isEncoding } from './is-encoding.ts'

interface DecodedText {
  text: string
  /** The encoding was neither stated nor UTF-8, so the commonest single-byte one was assumed. */
  guessed: boolean
}

/** The text of a file: by its byte order mark, then by `stated`, then UTF-8, then Windows-1252. */
export function decodeText(bytes: Uint8Array, stated: string | null = null): DecodedText {
  const known = byMark(bytes)
  try {
    if (known !== null) return { text: new TextDecoder(known, { fatal: true }).decode(bytes), guessed: false }
    if (stated !== null && isEncoding(stated))
      return { text: new TextDecoder(stated).decode(bytes), guessed: false }
    return { text: new TextDecoder('utf-8', { fatal: true }).decode(bytes), guessed: false }
  } catch {
    if (known !== null && known !== 'utf-8') {
      throw new BoundaryFileError(
        'broken-text',
        `The file says it is ${known.toUpperCase()} text, but its bytes are not. Save it as UTF-8 and send it again.`,
      )
    }
    return { text: new TextDecoder('windows-1252').decode(bytes), guessed: true }
  }
}

function byMark(bytes: Uint8Array): string | null {
  const [a, b, c, d] = bytes
  if (a === 0xef && b === 0xbb && c === 0xbf) return 'utf-8'
  if (a === 0xff && b === 0xfe) return 'utf-16le'
  if (a === 0xfe && b === 0xff) return 'utf-16be'
  // Unmarked UTF-16 of a text that starts with two ASCII characters, as JSON and XML do.
  if (a !== 0 && b === 0 && c !== 0 && d === 0) return 'utf-16le'
  if (a === 0 && b !== 0 && c === 0 && d !== 0) return 'utf-16be'
  return null
}

/** The start of a file as text for recognising it, blanks before the first sign removed; empty when the bytes cannot be text. */
export function headText(head: Uint8Array): string {
  try {
    // A cut may fall inside a character; the last bytes never matter here.
    const whole = head.subarray(0, head.length - (head.length % 2))
    return decodeText(whole).text.trimStart()
  } catch {
    return ''
  }
}
