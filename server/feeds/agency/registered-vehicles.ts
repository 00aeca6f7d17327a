import type { Agency } from './agency.ts'
import type { Pusher } from './find-pusher.ts'

/** Which of some vehicles are registered by who asks; those of another operator are not. */
export const registeredVehicles = (
  { fleetIngest: keeper }: Pick<Agency, 'fleetIngest'>,
  { organizationId, regionId, operator }: Pusher,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> => keeper.findRegistered(organizationId, regionId, operator, deviceIds)
