const address = /^[^\s<>()[\]\\,;:"@]{1,64}@[^\s<>()[\]\\,;:"@]{1,255}$/u

/** One address and nothing else: no list of them, no line break that would begin another header. Throws. */
export function oneAddress(text: string): string {
  // Control characters are more than white space.
  if (!address.test(text) || /\p{Cc}/u.test(text)) throw new Error('A mail needs one plain address to go to')
  return text
}

/** A header's text on one line. */
export const oneLine = (text: string): string => text.replace(/[\p{Cc}\u2028\u2029]+/gu, ' ').trim()
