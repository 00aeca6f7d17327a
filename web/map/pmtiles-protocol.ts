import { Protocol } from 'pmtiles'
import { maplibregl } from './setup.ts'

let isKnown = false

/** Lets maps ask for tiles in one file by `pmtiles://` addresses: the parts that are needed are asked for by range. */
export function knowPmtiles(): true {
  if (!isKnown) maplibregl.addProtocol('pmtiles', new Protocol().tile)
  isKnown = true
  return true
}
