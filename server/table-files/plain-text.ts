/** Converts a value to text that the stores accept: trimmed, limited, without NUL and lone surrogates. */
export function toPlainText(value: unknown, maxLength: number): string {
  const text = ['string', 'number', 'boolean', 'bigint'].includes(typeof value) ? String(value) : ''
  return text
    .replaceAll('\0', '')
    .trim()
    .slice(0, maxLength)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Email addresses and telephone numbers, which people may include in texts. */
const contactPattern =
  /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,128}|(?<!\d)(?:\+?1[-. ]?)?(?:\(\d{3}\)|\d{3})[-. ]\d{3}[-. ]\d{4}(?!\d)/g

/** Removes contact data from a text that the public wrote. */
export const removeContacts = (text: string): string => text.replace(contactPattern, '(not kept)')
