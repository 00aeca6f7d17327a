import { Protocol } from 'pmtiles'
import { maplibregl } from './setup.ts'

let isRegistered = false

/** Registers `pmtiles://` URLs, which read tiles from a single file with range requests. */
export function registerPmtilesProtocol(): true {
  if (!isRegistered) maplibregl.addProtocol('pmtiles', new Protocol().tile)
  isRegistered = true
  return true
}
