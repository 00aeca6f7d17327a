import type { FeedRecords } from '#server/mobility/fleet/feed-records.ts'
import type { Fields } from './fields.ts'
import { attributesOf } from './json-text.ts'
import { propulsions, vehicleTypeOf, vehicleTypes } from './vehicle-words.ts'

const anyCount = [0, Number.MAX_SAFE_INTEGER] as const

/** Reads a Vehicle of MDS 2.0. */
export function readVehicle(fields: Fields, into: FeedRecords): void {
  const { context, faults } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.provider()
  fields.uuidIfAny('data_provider_id')
  const vehicleId = fields.text('vehicle_id')
  const type = fields.oneOf('vehicle_type', vehicleTypes)
  const propulsionTypes = fields.someOf('propulsion_types', propulsions)
  if (fields.has('vehicle_attributes')) fields.within('vehicle_attributes')
  fields.integerIfAny('battery_capacity', ...anyCount)
  fields.integerIfAny('fuel_capacity', ...anyCount)
  fields.integerIfAny('maximum_speed', ...anyCount)
  const attributes = attributesOf(fields, fields.item)
  if (faults.length) return
  into.vehicles.push({
    operator: context.operator,
    deviceId,
    vehicleId,
    vehicleType: vehicleTypeOf(type, propulsionTypes),
    mode: context.mode ?? 'micromobility',
    propulsionTypes,
    attributes,
  })
}
