/** Nothing that we are sent is nested deeper; what is, would be too much for the stack. */
const deepest = 64

interface Fault {
  path: string
  message: string
}

/** Made of fields only: nothing stands between it and the end of its prototypes but Object's own. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return Array.isArray(value) || prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Why no store takes a text; null for a good one. */
function textFault(text: string, path: string): Fault | null {
  if (text.includes('\0')) return { path, message: 'holds the character U+0000, which is no text.' }
  return /\p{Surrogate}/u.test(text) ? { path, message: 'holds half of a character (a lone surrogate), which is no text.' } : null
}

/** Where and why a value is no JSON that we take: a stream or bytes, nested too deep, or text that no store takes. Null for a good one. */
export function findJsonFault(value: unknown, path: string, depth = 0): Fault | null {
  if (typeof value === 'string') return textFault(value, path)
  if (typeof value !== 'object' || value === null) return null
  if (!isPlain(value)) return { path, message: 'must be JSON.' }
  if (depth === deepest) return { path: path.split('.')[0] ?? '', message: `is nested deeper than ${deepest}.` }
  for (const [key, part] of Object.entries(value)) {
    const fault = textFault(key, path) ?? findJsonFault(part, `${path}.${key}`, depth + 1)
    if (fault) return fault
  }
  return null
}
