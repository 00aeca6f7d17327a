/** Valid bodies are never nested deeper; others could overflow the stack. */
const maxDepth = 64

interface Fault {
  path: string
  message: string
}

/** The location of a fault: keys from the outermost to the innermost, built only after a fault is found. */
interface FaultAt {
  keys: string[]
  message: string
}

const tooDeep = `is nested deeper than ${maxDepth}.`

/** Whether an object is plain: its prototype is null or Object's, of any realm. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Why a store would refuse a text; null for a valid one. */
function findTextFault(text: string): string | null {
  if (text.includes('\0')) return 'holds the character U+0000, which is no text.'
  return /\p{Surrogate}/u.test(text)
    ? 'holds half of a character (a lone surrogate), which is no text.'
    : null
}

/** Whether a value needs no check. Most values of long bodies are numbers. */
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
  for (let at = 0; at < value.length; at++) {
    const fault = isHarmless(value[at]) ? null : findFault(value[at], depth + 1)
    if (fault) return { ...fault, keys: [String(at), ...fault.keys] }
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
 * Finds why a value is not acceptable JSON: a stream or bytes, nested too deep, or text that a store would
 * refuse. Null for a valid one.
 */
export function findJsonFault(value: unknown, path: string): Fault | null {
  const fault = findFault(value, 0)
  if (!fault) return null
  return { path: fault.message === tooDeep ? path : [path, ...fault.keys].join('.'), message: fault.message }
}
