import { z } from 'zod'
import { type EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Step, VehicleTrack } from '../vehicle-track.ts'
import { laterEvent } from './older-words.ts'

const CaseVehicle = z.object({
  device_id: z.string().min(1),
  provider_id: z.string().min(1),
  vehicle_type: z.string().nullish(),
  propulsion_types: z.array(z.string()).nullish(),
  accessibility_attributes: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).nullish(),
  mode_id: z.string().nullish(),
})

/** Some count on past the date line. */
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

/** What could not be used, and why. */
export interface SetAside {
  record: string
  reason: string
}

const idOf = (record: unknown, key: string): string =>
  String((typeof record === 'object' && record !== null && (record as Record<string, unknown>)[key]) || '')

function readEach<Shape extends z.ZodType>(
  records: readonly unknown[],
  shape: Shape,
  key: string,
  kind: string,
  aside: SetAside[],
): { record: string; order: number; data: z.output<Shape> }[] {
  return records.flatMap((raw, order) => {
    const record = `${kind} ${idOf(raw, key) || order + 1}`
    const { success, data, error } = shape.safeParse(raw)
    if (success) return [{ record, order, data }]
    const [issue] = error.issues
    aside.push({
      record,
      reason: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is not understood'}`,
    })
    return []
  })
}

const attributes = (given: z.output<typeof CaseVehicle>['accessibility_attributes']): string[] =>
  Array.isArray(given) ? given : Object.entries(given ?? {}).flatMap(([name, held]) => (held ? [name] : []))

/**
 * Vehicles with their events, both in MDS 2.0 form. What is no vehicle or event is set aside, and so is an event of a vehicle that is not there.
 * An event without a place is kept: the vehicle is no longer as it stood before, and in no area.
 */
export function readFleet(
  vehicles: readonly unknown[],
  events: readonly unknown[],
): { tracks: VehicleTrack[]; aside: SetAside[] } {
  const aside: SetAside[] = []
  const known = new Map<string, { vehicle: z.output<typeof CaseVehicle>; steps: Step[] }>()
  for (const { record, data: vehicle } of readEach(vehicles, CaseVehicle, 'device_id', 'vehicle', aside)) {
    if (known.has(vehicle.device_id))
      aside.push({ record, reason: 'it is told more than once; the last counts' })
    known.set(vehicle.device_id, { vehicle, steps: [] })
  }
  for (const { record, order, data: event } of readEach(
    events.map(laterEvent),
    CaseEvent,
    'event_id',
    'event',
    aside,
  )) {
    const { device_id: id, location: at } = event
    const own = known.get(id)
    if (!own) aside.push({ record, reason: `there is no vehicle ${id}` })
    if (!at)
      aside.push({ record, reason: 'location: not told, so from then on the vehicle is in no geography' })
    own?.steps.push({
      at: event.timestamp,
      state: event.vehicle_state,
      types: (event.event_types ?? []) as EventType[],
      lon: at?.lng ?? NaN,
      lat: at?.lat ?? NaN,
      accuracy: at?.horizontal_accuracy ?? NaN,
      speed: event.speed ?? at?.speed ?? NaN,
      order,
    })
  }
  const tracks = [...known.values()].map(({ vehicle, steps }): VehicleTrack => ({
    deviceId: vehicle.device_id,
    providerId: vehicle.provider_id,
    vehicleType: vehicle.vehicle_type ?? '',
    propulsionTypes: vehicle.propulsion_types ?? [],
    accessibility: attributes(vehicle.accessibility_attributes),
    mode: vehicle.mode_id ?? null,
    steps: steps.sort((a, b) => a.at - b.at),
  }))
  return { tracks, aside }
}
