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

/** Some sources count beyond 180 degrees. */
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

/** An excluded record, and why. */
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
      reason: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is invalid'}`,
    })
    return []
  })
}

const attributes = (given: z.output<typeof CaseVehicle>['accessibility_attributes']): string[] =>
  Array.isArray(given) ? given : Object.entries(given ?? {}).flatMap(([name, held]) => (held ? [name] : []))

/**
 * Vehicles with their events, both in MDS 2.0 form. Invalid records and events of unknown vehicles are set aside.
 * An event without a place is used: the vehicle is no longer where it was, and in no area.
 */
export function readFleet(
  vehicles: readonly unknown[],
  events: readonly unknown[],
): { tracks: VehicleTrack[]; aside: SetAside[] } {
  const aside: SetAside[] = []
  const known = new Map<string, { vehicle: z.output<typeof CaseVehicle>; steps: Step[] }>()
  for (const { record, data: vehicle } of readEach(vehicles, CaseVehicle, 'device_id', 'vehicle', aside)) {
    if (known.has(vehicle.device_id))
      aside.push({ record, reason: 'it is listed more than once; the last one counts' })
    known.set(vehicle.device_id, { vehicle, steps: [] })
  }
  for (const { record, order, data: event } of readEach(
    events.map(upgradeEvent),
    CaseEvent,
    'event_id',
    'event',
    aside,
  )) {
    const { device_id: id, location: at } = event
    const own = known.get(id)
    if (!own) aside.push({ record, reason: `there is no vehicle ${id}` })
    if (!at)
      aside.push({ record, reason: 'location: missing, so the vehicle is in no geography from then on' })
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
