import type { Vehicle } from '#server/mobility/fleet/vehicle.ts'
import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import type { Fields } from '../fields.ts'
import { attributesOf } from '../json-text.ts'
import { earlierPropulsions, earlierVehicleTypes, vehicleTypeOf } from '../vehicle-words.ts'

/** Reads what names a vehicle in every record of MDS 1.2; its attributes are left empty. */
export function readNamed(fields: Fields): Vehicle {
  const deviceId = fields.uuid('device_id')
  const vehicleId = fields.text('vehicle_id')
  const type = fields.oneOf('vehicle_type', earlierVehicleTypes)
  const propulsionTypes = fields.someOf('propulsion_types', earlierPropulsions)
  return {
    operator: fields.reading.context.operator,
    deviceId,
    vehicleId,
    vehicleType: vehicleTypeOf(type, propulsionTypes),
    mode: 'micromobility',
    propulsionTypes,
    attributes: '',
  }
}

/** A vehicle as a record of something else names it: that record without what is not the vehicle's. */
export const namedVehicle = (
  vehicle: Vehicle,
  { item: { provider_name, provider_id, device_id, vehicle_id, vehicle_type, propulsion_types } }: Fields,
): Vehicle => ({
  ...vehicle,
  attributes: JSON.stringify({
    provider_name,
    provider_id,
    device_id,
    vehicle_id,
    vehicle_type,
    propulsion_types,
  }),
})

/** Reads a vehicle as MDS 1.2 registers it with an agency. */
export function readRegistration(fields: Fields, into: FeedRecords): void {
  const vehicle = readNamed(fields)
  fields.integerIfAny('year', 1800, 2200)
  fields.textIfAny('mfgr')
  fields.textIfAny('model')
  const attributes = attributesOf(fields, fields.item)
  if (!fields.reading.faults.length) into.vehicles.push({ ...vehicle, attributes })
}
