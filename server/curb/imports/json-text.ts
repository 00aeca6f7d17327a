/** JSON that PostgreSQL accepts: without NUL characters and halves of surrogate pairs, which `jsonb` refuses. */
export function jsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return /\\u0000|\\ud[89a-f]/i.test(text) ? JSON.stringify(cleaned(JSON.parse(text))) : text
}

const cleanText = (text: string): string => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')

function cleaned(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleaned)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [cleanText(key), cleaned(each)]))
}
