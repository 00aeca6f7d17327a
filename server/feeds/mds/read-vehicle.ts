import type { FeedRecords } from '#server/fleet/events/feed-records.ts'
import { type Fields, parseUuid } from './fields.ts'
import { serializeAttributes } from './json-text.ts'
import { readEvent } from './read-event.ts'
import { readTelemetry } from './read-telemetry.ts'
import { propulsions, toVehicleType, vehicleTypes } from './vehicle-words.ts'

/** The bounds of a number of units. */
const anyCount = [0, Number.MAX_SAFE_INTEGER] as const

/** Reads a Vehicle of MDS 2.0. */
export function readVehicle(fields: Fields, records: FeedRecords): void {
  const { context, errors } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.checkProvider()
  fields.checkOptionalUuid('data_provider_id')
  const vehicleId = fields.text('vehicle_id')
  const type = fields.oneOf('vehicle_type', vehicleTypes)
  const propulsionTypes = fields.listOf('propulsion_types', propulsions)
  if (fields.has('vehicle_attributes')) fields.object('vehicle_attributes')
  fields.checkOptionalInteger('battery_capacity', ...anyCount)
  fields.checkOptionalInteger('fuel_capacity', ...anyCount)
  fields.checkOptionalInteger('maximum_speed', ...anyCount)
  const attributes = serializeAttributes(fields, fields.item)
  if (errors.length) return
  records.vehicles.push({
    operator: context.operator,
    deviceId,
    vehicleId,
    vehicleType: toVehicleType(type, propulsionTypes),
    mode: context.mode ?? 'micromobility',
    propulsionTypes,
    attributes,
  })
}

/** Reads a Vehicle status of MDS 2.0: the last event and telemetry, which must name the same vehicle. */
export function readStatus(fields: Fields, records: FeedRecords): void {
  const { errors } = fields.reading
  const deviceId = fields.uuid('device_id')
  fields.checkProvider()
  const eventCount = records.events.length
  const pointCount = records.telemetry.length
  for (const [key, read] of [
    ['last_event', readEvent],
    ['last_telemetry', readTelemetry],
  ] as const) {
    const nested = fields.object(key)
    if (!nested) continue
    if (deviceId && parseUuid(nested.item['device_id']) && parseUuid(nested.item['device_id']) !== deviceId)
      nested.addError('device_id', 'is another vehicle')
    read(nested, records)
  }
  if (!errors.length) return
  // If one of the two is invalid, the other is not stored either.
  records.events.length = eventCount
  records.telemetry.length = pointCount
}
