import { createHmac } from 'node:crypto'
import type { SecretBox } from '#server/stores/secret-box.ts'

/** Characters of a hash: enough for the vehicles of a country. */
const hashLength = 22

const hash = (key: string, text: string): string =>
  createHmac('sha256', key).update(text).digest('base64url').slice(0, hashLength)

/** Keys of hashes by region, derived from the secret key of the server. Stored hashes depend on their texts: do not change them. */
export function openHashKeys(box: Pick<SecretBox, 'derive'>) {
  const vehicleKeys = new Map<string, string>()
  const paymentKeys = new Map<string, string>()
  const find = (keys: Map<string, string>, regionId: string, derive: () => string): string => {
    const key = keys.get(regionId) ?? derive()
    keys.set(regionId, key)
    return key
  }
  const vehicleKey = (regionId: string): string =>
    find(vehicleKeys, regionId, () => box.derive(`vehicles at the curb of ${regionId}`))
  return {
    /** The key of vehicles in events and permits. */
    vehicleKey,
    /** The key of plates and sessions in payments: a purpose of its own, so that payments cannot be joined with events. */
    paymentKey: (regionId: string): string =>
      find(paymentKeys, regionId, () =>
        createHmac('sha256', vehicleKey(regionId)).update('payments').digest('base64url'),
      ),
  }
}

/** The identity of a vehicle as it is stored; '' if it is unknown. */
export const hashVehicle = (key: string, vehicle: string): string => (vehicle ? hash(key, vehicle) : '')

/** The identity of a paid session, or else of a plate, at one location of a vendor as it is stored; '' if neither is known. */
export function hashLane(
  key: string,
  vendor: string,
  locationId: string,
  { session, plate }: { session: string; plate: string },
): string {
  const plain = plate.toUpperCase().replaceAll(/[^\p{L}\p{N}]/gu, '')
  const who =
    session !== '' ? `session ${session}` : plain !== '' && !/^0+$/.test(plain) ? `plate ${plain}` : ''
  return who === '' ? '' : hash(key, `${vendor}\n${locationId}\n${who}`)
}
