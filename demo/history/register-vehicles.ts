import { vehicleColumns, vehicleLines } from '#server/mobility/fleet/record-lines.ts'
import { readMds } from '#server/ingest/mds/read-mds.ts'
import type { MdsContext } from '#server/ingest/mds/mds-context.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import { mdsVehicle } from '../servers/mds-records.ts'
import { earlierName } from '../servers/earlier-records.ts'
import { makeFleet } from '../trips/make-fleet.ts'
import { namedVehicleOf } from './named-vehicle-of.ts'

/** Registers the vehicles of the operators with MDS as their feeds would: the same records, read by the same readers. */
export async function registerVehicles(
  store: Facts,
  scope: Scope,
  regionId: string,
  seed: number,
  received: number,
): Promise<void> {
  const vehicles = makeFleet(seed).flatMap((vehicle) => {
    const { slug, providerId } = vehicle.operator
    if (!providerId) return []
    const context: MdsContext = { operator: slug, providerId, received }
    return slug === 'ternbikes'
      ? namedVehicleOf(earlierName(vehicle), context)
      : readMds('2.0', 'vehicles', { vehicles: [mdsVehicle(vehicle)] }, context).vehicles
  })
  await store.insert(
    scope,
    'vehicles',
    vehicleColumns,
    regionId,
    vehicleLines(vehicles, { regionId, feedId: '', batchId: '', received }),
  )
}
