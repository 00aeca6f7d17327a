import type { Agency } from './agency.ts'
import type { Pusher } from './find-pusher.ts'

/** Which of some vehicles the requesting operator registered. */
export const registeredVehicles = (
  { fleetIngest }: Pick<Agency, 'fleetIngest'>,
  { organizationId, regionId, operator }: Pusher,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> => fleetIngest.findRegistered(organizationId, regionId, operator, deviceIds)
