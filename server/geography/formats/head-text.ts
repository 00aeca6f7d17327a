import { decodeText } from './decode-text.ts'

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
