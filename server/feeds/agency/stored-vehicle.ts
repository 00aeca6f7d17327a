import { regionScope } from '#server/identity/scope.ts'
import type { Agency } from './agency.ts'
import type { Pusher } from './find-pusher.ts'
import { type KnownVehicle, knownVehicles } from './queries/known-vehicles.ts'

/** The record of a vehicle of the requesting operator, as registered; null if it is not one of theirs. */
export async function storedVehicle(
  { facts }: Pick<Agency, 'facts'>,
  { organizationId, regionId, operator }: Pusher,
  deviceId: string,
): Promise<KnownVehicle | null> {
  const [known] = await knownVehicles(
    facts,
    regionScope(organizationId, regionId),
    regionId,
    operator,
    deviceId,
  )
  return known ?? null
}
