/** Returns a value as JSON for `jsonb`, which rejects NUL and halves of surrogate pairs. */
export function toJsonText(value: unknown): string {
  const text = JSON.stringify(value) ?? 'null'
  return /\\u0000|\\ud[89a-f]/i.test(text) ? JSON.stringify(cleanValue(JSON.parse(text))) : text
}

const cleanText = (text: string): string => text.replaceAll('\0', '').replace(/\p{Surrogate}/gu, '\uFFFD')

function cleanValue(value: unknown): unknown {
  if (typeof value === 'string') return cleanText(value)
  if (Array.isArray(value)) return value.map(cleanValue)
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [cleanText(key), cleanValue(item)]))
}
