import { regionScope } from '#server/identity/scope.ts'
import type { Agency } from './agency.ts'
import type { Pusher } from './find-pusher.ts'
import { type KnownVehicle, findVehicles } from './queries/known-vehicles.ts'

/** Returns those of the device ids that the operator has registered. */
export const findRegisteredVehicles = (
  { fleetIngest }: Pick<Agency, 'fleetIngest'>,
  { organizationId, regionId, operator }: Pusher,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> => fleetIngest.findRegistered(organizationId, regionId, operator, deviceIds)

/** Finds the registered vehicle of an operator; null if the operator has not registered it. */
export async function findStoredVehicle(
  { facts }: Pick<Agency, 'facts'>,
  { organizationId, regionId, operator }: Pusher,
  deviceId: string,
): Promise<KnownVehicle | null> {
  const [vehicle] = await findVehicles(facts, regionScope(organizationId, regionId), {
    regionId,
    operator,
    deviceId,
  })
  return vehicle ?? null
}
