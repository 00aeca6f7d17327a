import type { Vehicle } from '#server/fleet/events/vehicle.ts'
import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { Fields } from '../fields.ts'
import { attributesOf } from '../json-text.ts'
import { earlierPropulsions, earlierVehicleTypes, readVehicleType } from '../vehicle-words.ts'

/** Reads the fields that identify a vehicle in every record of MDS 1.2; its attributes are left empty. */
export function readNamed(fields: Fields): Vehicle {
  const deviceId = fields.uuid('device_id')
  const vehicleId = fields.text('vehicle_id')
  const type = fields.oneOf('vehicle_type', earlierVehicleTypes)
  const propulsionTypes = fields.someOf('propulsion_types', earlierPropulsions)
  return {
    operator: fields.reading.context.operator,
    deviceId,
    vehicleId,
    vehicleType: readVehicleType(type, propulsionTypes),
    mode: 'micromobility',
    propulsionTypes,
    attributes: '',
  }
}

/** The vehicle of a record about something else: that record without the other fields. */
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

/** Reads a vehicle registration of MDS 1.2. */
export function readRegistration(fields: Fields, into: FeedRecords): void {
  const vehicle = readNamed(fields)
  fields.integerIfAny('year', 1800, 2200)
  fields.textIfAny('mfgr')
  fields.textIfAny('model')
  const attributes = attributesOf(fields, fields.item)
  if (!fields.reading.faults.length) into.vehicles.push({ ...vehicle, attributes })
}
