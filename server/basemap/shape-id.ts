import { createHash } from 'node:crypto'
import type { BasemapRole } from '#contract/basemap.ts'

/** Id of a basemap's shape: the same for the same thing whenever it is sent, so that a basemap sent twice is stored as it was. */
export function shapeIdOf(regionId: string, role: BasemapRole, id: string): string {
  const digest = createHash('sha1').update(`${regionId} ${role} ${id}`).digest()
  // A UUID that was made by hashing: version 5.
  digest[6] = (digest[6]! & 0x0f) | 0x50
  digest[8] = (digest[8]! & 0x3f) | 0x80
  const hex = digest.toString('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-${hex.slice(12, 16)}-${hex.slice(16, 20)}-${hex.slice(20, 32)}`
}
