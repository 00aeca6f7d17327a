import { z } from 'zod'
import { type EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Step, VehicleTrack } from '../vehicle-track.ts'
import { upgradeEvent } from './upgrade-mds.ts'

const CaseVehicle = z.object({
  device_id: z.string().min(1),
  provider_id: z.string().min(1),
  vehicle_type: z.string().nullish(),
  propulsion_types: z.array(z.string()).nullish(),
  accessibility_attributes: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).nullish(),
  mode_id: z.string().nullish(),
})

/** A longitude. Those beyond 180 degrees, which some sources use, are normalized by full turns. */
const Longitude = z
  .number()
  .min(-540)
  .max(540)
  .transform((lng) => (Math.abs(lng) <= 180 ? lng : lng - 360 * Math.round(lng / 360)))

const CaseEvent = z.object({
  device_id: z.string().min(1),
  event_id: z.string().nullish(),
  vehicle_state: VehicleState,
  event_types: z.array(z.string()).nullish(),
  timestamp: z.number().finite(),
  location: z
    .object({
      lat: z.number().min(-90).max(90),
      lng: Longitude,
      speed: z.number().nullish(),
      horizontal_accuracy: z.number().nullish(),
    })
    .nullish(),
  speed: z.number().nullish(),
})

/** An excluded or doubtful record, with the reason. */
export interface SetAside {
  record: string
  reason: string
}

const readId = (record: unknown, key: string): string =>
  String((typeof record === 'object' && record !== null && (record as Record<string, unknown>)[key]) || '')

/** Parses records, each with its name for messages and its position. Invalid ones are set aside. */
function readEach<Shape extends z.ZodType>(
  records: readonly unknown[],
  { shape, key, kind, aside }: { shape: Shape; key: string; kind: string; aside: SetAside[] },
): { record: string; order: number; data: z.output<Shape> }[] {
  return records.flatMap((raw, order) => {
    const record = `${kind} ${readId(raw, key) || order + 1}`
    const { success, data, error } = shape.safeParse(raw)
    if (success) return [{ record, order, data }]
    const [issue] = error.issues
    aside.push({ record, reason: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is invalid'}` })
    return []
  })
}

/** Reads accessibility attributes from a list of names, or from an object with a value for each name. */
const readAttributes = (attributes: z.output<typeof CaseVehicle>['accessibility_attributes']): string[] =>
  Array.isArray(attributes)
    ? attributes
    : Object.entries(attributes ?? {}).flatMap(([name, value]) => (value ? [name] : []))

/**
 * Parses vehicles and their events in the format of MDS 2.0. Invalid records and events of unknown vehicles
 * are set aside. An event without a place is used: the vehicle left its last place, and is in no area.
 */
export function readFleet(
  vehicles: readonly unknown[],
  events: readonly unknown[],
): { tracks: VehicleTrack[]; aside: SetAside[] } {
  const aside: SetAside[] = []
  const vehiclesById = new Map<string, { vehicle: z.output<typeof CaseVehicle>; steps: Step[] }>()
  for (const { record, data: vehicle } of readEach(vehicles, {
    shape: CaseVehicle,
    key: 'device_id',
    kind: 'vehicle',
    aside,
  })) {
    if (vehiclesById.has(vehicle.device_id))
      aside.push({ record, reason: 'it is listed more than once; the last one counts' })
    vehiclesById.set(vehicle.device_id, { vehicle, steps: [] })
  }
  for (const { record, order, data: event } of readEach(events.map(upgradeEvent), {
    shape: CaseEvent,
    key: 'event_id',
    kind: 'event',
    aside,
  })) {
    const { device_id: id, location } = event
    const history = vehiclesById.get(id)
    if (!history) aside.push({ record, reason: `there is no vehicle ${id}` })
    if (!location)
      aside.push({ record, reason: 'location: missing, so the vehicle is in no geography from then on' })
    history?.steps.push({
      at: event.timestamp,
      state: event.vehicle_state,
      types: (event.event_types ?? []) as EventType[],
      lon: location?.lng ?? NaN,
      lat: location?.lat ?? NaN,
      accuracy: location?.horizontal_accuracy ?? NaN,
      speed: event.speed ?? location?.speed ?? NaN,
      order,
    })
  }
  const tracks = [...vehiclesById.values()].map(({ vehicle, steps }): VehicleTrack => ({
    deviceId: vehicle.device_id,
    providerId: vehicle.provider_id,
    vehicleType: vehicle.vehicle_type ?? '',
    propulsionTypes: vehicle.propulsion_types ?? [],
    accessibility: readAttributes(vehicle.accessibility_attributes),
    mode: vehicle.mode_id ?? null,
    steps: steps.sort((a, b) => a.at - b.at),
  }))
  return { tracks, aside }
}
