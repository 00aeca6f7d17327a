import type { Agency } from './agency.ts'
import type { Pusher } from './find-pusher.ts'

/** The given device ids that the operator has registered. */
export const findRegisteredVehicles = (
  { fleetIngest }: Pick<Agency, 'fleetIngest'>,
  { organizationId, regionId, operator }: Pusher,
  deviceIds: readonly string[],
): Promise<ReadonlySet<string>> => fleetIngest.findRegistered(organizationId, regionId, operator, deviceIds)
