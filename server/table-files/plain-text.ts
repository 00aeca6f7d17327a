/** A text that the stores accept: without NUL and lone surrogates, trimmed, and at maxLength `maxLength` long. */
export function plainText(value: unknown, maxLength: number): string {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
        ? String(value)
        : ''
  return text
    .replaceAll('\0', '')
    .trim()
    .slice(0, maxLength)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Mail addresses and telephone numbers within a text: people may include theirs. */
const contact =
  /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,128}|(?<!\d)(?:\+?1[-. ]?)?(?:\(\d{3}\)|\d{3})[-. ]\d{3}[-. ]\d{4}(?!\d)/g

/** A text of the public without contact data. */
export const withoutContacts = (text: string): string => text.replace(contact, '(not kept)')
