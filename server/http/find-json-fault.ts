/** Maximum depth. Valid bodies are never nested deeper, and very deep ones could overflow the stack. */
const maxDepth = 64

interface Fault {
  path: string
  message: string
}

/** A fault with its location, as keys from the outermost to the innermost. */
interface FaultAt {
  keys: string[]
  message: string
}

const tooDeep = `is nested deeper than ${maxDepth}.`

/** Returns whether an object is plain: its prototype is null or the Object.prototype of any realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Returns why PostgreSQL would reject a text; null if it is valid. */
function findTextFault(text: string): string | null {
  if (text.includes('\0')) return 'contains the character U+0000, which is no text.'
  return /\p{Surrogate}/u.test(text)
    ? 'contains half of a character (a lone surrogate), which is no text.'
    : null
}

/** Returns whether a value needs no check; a fast path, because most values of long bodies are numbers. */
const isHarmless = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || value === null

function findFault(value: unknown, depth: number): FaultAt | null {
  if (typeof value === 'string') {
    const message = findTextFault(value)
    return message ? { keys: [], message } : null
  }
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return findFieldFault(value, depth)
  if (depth === maxDepth) return { keys: [], message: tooDeep }
  for (let index = 0; index < value.length; index++) {
    const fault = isHarmless(value[index]) ? null : findFault(value[index], depth + 1)
    if (fault) return { ...fault, keys: [String(index), ...fault.keys] }
  }
  return null
}

function findFieldFault(value: object, depth: number): FaultAt | null {
  if (!isPlain(value)) return { keys: [], message: 'must be JSON.' }
  if (depth === maxDepth) return { keys: [], message: tooDeep }
  for (const [key, part] of Object.entries(value)) {
    const message = findTextFault(key)
    if (message) return { keys: [], message }
    const fault = isHarmless(part) ? null : findFault(part, depth + 1)
    if (fault) return { ...fault, keys: [key, ...fault.keys] }
  }
  return null
}

/**
 * Finds why a value is not acceptable JSON: it is a stream or bytes, is nested too deep, or contains text
 * that a store would reject. Null if it is acceptable.
 */
export function findJsonFault(value: unknown, path: string): Fault | null {
  const fault = findFault(value, 0)
  if (!fault) return null
  return { path: fault.message === tooDeep ? path : [path, ...fault.keys].join('.'), message: fault.message }
}
