import { hash } from 'node:crypto'

/** Derives a UUID from parts: equal parts result in the same id (RFC 9562 version 5, without a namespace). */
export function deriveUuid(...parts: readonly (string | number)[]): string {
  const hex = hash('sha1', parts.join('|'))
  const variant = ((Number.parseInt(hex.slice(16, 18), 16) & 0x3f) | 0x80).toString(16)
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-5${hex.slice(13, 16)}-${variant}${hex.slice(18, 20)}-${hex.slice(20, 32)}`
}
