import { Protocol } from 'pmtiles'
import { maplibregl } from './setup.ts'

let isRegistered = false

/** Lets maps ask for tiles in one file by `pmtiles://` addresses: the parts that are needed are asked for by range. */
export function registerPmtilesProtocol(): true {
  if (!isRegistered) maplibregl.addProtocol('pmtiles', new Protocol().tile)
  isRegistered = true
  return true
}
