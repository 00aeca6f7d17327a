/** Nothing that we are sent is nested deeper; what is, would be too much for the stack. */
const maxDepth = 64

interface Fault {
  path: string
  message: string
}

/** Where in a value a fault is: keys from the outermost to the innermost, written down only once there is one. */
interface FaultAt {
  keys: string[]
  message: string
}

const tooDeep = `is nested deeper than ${maxDepth}.`

/** Made of fields only: nothing stands between it and the end of its prototypes but Object's own. */
function isPlain(value: object): boolean {
  const prototype = Object.getPrototypeOf(value) as object | null
  return prototype === null || Object.getPrototypeOf(prototype) === null
}

/** Why no store takes a text; null for a good one. */
function textFault(text: string): string | null {
  if (text.includes('\0')) return 'holds the character U+0000, which is no text.'
  return /\p{Surrogate}/u.test(text)
    ? 'holds half of a character (a lone surrogate), which is no text.'
    : null
}

/** Numbers, the bulk of long bodies, are passed over without a call. */
const isFree = (value: unknown): boolean =>
  typeof value === 'number' || typeof value === 'boolean' || value === null

function faultIn(value: unknown, depth: number): FaultAt | null {
  if (typeof value === 'string') {
    const message = textFault(value)
    return message ? { keys: [], message } : null
  }
  if (typeof value !== 'object' || value === null) return null
  if (!Array.isArray(value)) return faultInFields(value, depth)
  if (depth === maxDepth) return { keys: [], message: tooDeep }
  for (let at = 0; at < value.length; at++) {
    const fault = isFree(value[at]) ? null : faultIn(value[at], depth + 1)
    if (fault) return { ...fault, keys: [String(at), ...fault.keys] }
  }
  return null
}

function faultInFields(value: object, depth: number): FaultAt | null {
  if (!isPlain(value)) return { keys: [], message: 'must be JSON.' }
  if (depth === maxDepth) return { keys: [], message: tooDeep }
  for (const [key, part] of Object.entries(value)) {
    const message = textFault(key)
    if (message) return { keys: [], message }
    const fault = isFree(part) ? null : faultIn(part, depth + 1)
    if (fault) return { ...fault, keys: [key, ...fault.keys] }
  }
  return null
}

/** Where and why a value is no JSON that we take: a stream or bytes, nested too deep, or text that no store takes. Null for a good one. */
export function findJsonFault(value: unknown, path: string): Fault | null {
  const fault = faultIn(value, 0)
  if (!fault) return null
  return { path: fault.message === tooDeep ? path : [path, ...fault.keys].join('.'), message: fault.message }
}
