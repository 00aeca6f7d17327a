import type { Vehicle, FeedRecords } from '#server/fleet/events/feed-records.ts'
import type { Fields } from '../fields.ts'
import { serializeAttributes } from '../json-text.ts'
import { earlierPropulsions, earlierVehicleTypes, toVehicleType } from '../vehicle-words.ts'

/** Reads the fields that describe the vehicle in every record of MDS 1.2; the attributes are empty. */
export function readIdentity(fields: Fields): Vehicle {
  const deviceId = fields.uuid('device_id')
  const vehicleId = fields.text('vehicle_id')
  const type = fields.oneOf('vehicle_type', earlierVehicleTypes)
  const propulsionTypes = fields.listOf('propulsion_types', earlierPropulsions)
  return {
    operator: fields.reading.context.operator,
    deviceId,
    vehicleId,
    vehicleType: toVehicleType(type, propulsionTypes),
    mode: 'micromobility',
    propulsionTypes,
    attributes: '',
  }
}

/**
 * Returns the vehicle of a record about something else. Its attributes are the fields of the record that
 * describe the vehicle.
 */
export const withIdentityAttributes = (
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
export function readRegistration(fields: Fields, records: FeedRecords): void {
  const vehicle = readIdentity(fields)
  fields.checkOptionalInteger('year', 1800, 2200)
  fields.checkOptionalText('mfgr')
  fields.checkOptionalText('model')
  const attributes = serializeAttributes(fields, fields.item)
  if (!fields.reading.errors.length) records.vehicles.push({ ...vehicle, attributes })
}
