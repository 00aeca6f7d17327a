import { createHash } from 'node:crypto'

/** A stand-in for an operator whose MDS provider id nobody has entered: the same for the same operator. Left out, the policy would read as one for all. */
export function standInProviderId(regionId: string, slug: string): string {
  const hex = createHash('sha256').update(`operator ${regionId} ${slug}`).digest('hex')
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-8${hex.slice(17, 20)}-${hex.slice(20, 32)}`
}
