/** A text as the stores take it: without NUL and halves of signs, without blanks around it and what is over `most`. */
export function plainText(value: unknown, most: number): string {
  const text =
    typeof value === 'string'
      ? value
      : typeof value === 'number' || typeof value === 'boolean' || typeof value === 'bigint'
        ? String(value)
        : ''
  return text
    .replaceAll('\0', '')
    .trim()
    .slice(0, most)
    .replace(/\p{Surrogate}/gu, '\uFFFD')
}

/** Addresses of mails and numbers of telephones within a text: who writes to the city may leave theirs. */
const contact =
  /[\w.+-]{1,64}@[\w-]{1,64}\.[\w.-]{1,128}|(?<!\d)(?:\+?1[-. ]?)?(?:\(\d{3}\)|\d{3})[-. ]\d{3}[-. ]\d{4}(?!\d)/g

/** A text of the public without the ways to reach who wrote it. */
export const withoutContacts = (text: string): string => text.replace(contact, '(not kept)')
