import { createHash } from 'node:crypto'
import { canonicalText } from '../canonical-text.ts'

/** Equal values have equal digests, whatever the order of their keys. */
export const digestOf = (value: unknown): string =>
  createHash('sha256').update(canonicalText(value)).digest('hex')
