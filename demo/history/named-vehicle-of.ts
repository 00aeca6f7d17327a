import { Fields, newReading } from '#server/ingest/mds/fields.ts'
import { namedVehicle, readNamed } from '#server/ingest/mds/earlier/read-registration.ts'
import type { MdsContext } from '#server/ingest/mds/mds-context.ts'
import type { Vehicle } from '#server/mobility/fleet/vehicle.ts'

/** The vehicle that a record of MDS 1.2 names, as every reader of such records finds it. */
export function namedVehicleOf(record: Readonly<Record<string, unknown>>, context: MdsContext): Vehicle[] {
  const fields = new Fields(record, newReading(context))
  return [namedVehicle(readNamed(fields), fields)]
}
