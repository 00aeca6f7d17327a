/** Maximum depth. Valid bodies are never nested deeper, and very deep ones could overflow the stack. */
const maxDepth = 64

interface JsonError {
  path: string
  message: string
}

/** An error with its location, as keys from the outermost to the innermost. */
interface LocatedError {
  keys: string[]
  message: string
}

const tooDeepMessage = `is nested deeper than ${maxDepth}.`

/** Returns whether an object is plain: its prototype is null or the Object.prototype of any realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Returns why PostgreSQL would reject a text; null if it is valid. */
function findTextError(text: string): string | null {
  if (text.includes('\0')) return 'contains the character U+0000, which is no text.'
  return /\p{Surrogate}/u.test(text)
    ? 'contains half of a character (a lone surrogate), which is no text.'
    : null
}

/** Returns whether a value needs no check; a fast path, because most values of long bodies are numbers. */
const isHarmless = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || value === null

/** Finds the first error in a value; null if it is acceptable. */
function findError(value: unknown, depth: number): LocatedError | null {
  if (typeof value === 'string') {
    const message = findTextError(value)
    return message ? { keys: [], message } : null
  }
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return findFieldError(value, depth)
  if (depth === maxDepth) return { keys: [], message: tooDeepMessage }
  for (let index = 0; index < value.length; index++) {
    const error = isHarmless(value[index]) ? null : findError(value[index], depth + 1)
    if (error) return { ...error, keys: [String(index), ...error.keys] }
  }
  return null
}

function findFieldError(value: object, depth: number): LocatedError | null {
  if (!isPlain(value)) return { keys: [], message: 'must be JSON.' }
  if (depth === maxDepth) return { keys: [], message: tooDeepMessage }
  for (const [key, field] of Object.entries(value)) {
    const message = findTextError(key)
    if (message) return { keys: [], message }
    const error = isHarmless(field) ? null : findError(field, depth + 1)
    if (error) return { ...error, keys: [key, ...error.keys] }
  }
  return null
}

/**
 * Finds why a value is not acceptable JSON: it is a stream or bytes, is nested too deep, or contains text
 * that a store would reject; null if it is acceptable.
 */
export function findJsonError(value: unknown, path: string): JsonError | null {
  const error = findError(value, 0)
  if (!error) return null
  return {
    path: error.message === tooDeepMessage ? path : [path, ...error.keys].join('.'),
    message: error.message,
  }
}
