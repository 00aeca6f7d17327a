import { createHmac } from 'node:crypto'
import type { SecretBox } from '#server/stores/secret-box.ts'

/** Length of a hash in characters (132 bits): collisions among the vehicles of a country are improbable. */
const hashLength = 22

const hash = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, hashLength)

/**
 * Returns functions for the hash keys of a region, which are derived from the secret key of the server.
 *
 * The texts in this file are inputs of stored hashes. If one changes, new rows no longer match stored ones.
 */
export function openHashKeys(secretBox: Pick<SecretBox, 'derive'>) {
  const vehicleKeys = new Map<string, string>()
  const paymentKeys = new Map<string, string>()
  const getOrDerive = (keys: Map<string, string>, regionId: string, derive: () => string): string => {
    const key = keys.get(regionId) ?? derive()
    keys.set(regionId, key)
    return key
  }
  const deriveVehicleKey = (regionId: string): string =>
    getOrDerive(vehicleKeys, regionId, () => secretBox.derive(`vehicles at the curb of ${regionId}`))
  return {
    /** The key for vehicles in events and permits. */
    vehicleKey: deriveVehicleKey,
    /** Returns the key for payments. It differs from `vehicleKey`, so they cannot be joined with events. */
    paymentKey: (regionId: string): string =>
      getOrDerive(paymentKeys, regionId, () =>
        createHmac('sha256', deriveVehicleKey(regionId)).update('payments').digest('base64url'),
      ),
  }
}

/** Returns the stored identity of a vehicle; '' if it is unknown. */
export const hashVehicle = (key: string, vehicle: string): string => (vehicle ? hash(key, vehicle) : '')

/** Returns the stored identity of a paid session, or else plate, at a vendor's location; '' if unknown. */
export function hashLane(
  key: string,
  vendor: string,
  locationId: string,
  { session, plate }: { session: string; plate: string },
): string {
  const normalizedPlate = plate.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  // Vendors send zeros for an unknown plate.
  const isPlateKnown = normalizedPlate !== '' && !/^0+$/.test(normalizedPlate)
  if (session === '' && !isPlateKnown) return ''
  const identity = session === '' ? `plate ${normalizedPlate}` : `session ${session}`
  return hash(key, `${vendor}\n${locationId}\n${identity}`)
}
