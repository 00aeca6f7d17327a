import { z } from 'zod'
import { type EventType, VehicleState } from '#contract/vehicle-states.ts'
import type { Step, VehicleTrack } from '../vehicle-track.ts'

const CaseVehicle = z.object({
  device_id: z.string().min(1),
  provider_id: z.string().min(1),
  vehicle_type: z.string(),
  propulsion_types: z.array(z.string()).nullish(),
  accessibility_attributes: z.union([z.array(z.string()), z.record(z.string(), z.unknown())]).nullish(),
})

const CaseEvent = z.object({
  device_id: z.string().min(1),
  event_id: z.string().nullish(),
  vehicle_state: VehicleState,
  event_types: z.array(z.string()),
  timestamp: z.number().finite(),
  location: z.object({ lat: z.number().min(-90).max(90), lng: z.number().min(-180).max(180), speed: z.number().nullish(), horizontal_accuracy: z.number().nullish() }),
  speed: z.number().nullish(),
})

/** What could not be used, and why. */
export interface SetAside {
  record: string
  reason: string
}

const idOf = (record: unknown, key: string): string => String((typeof record === 'object' && record !== null && (record as Record<string, unknown>)[key]) || '')

function readEach<Shape extends z.ZodType>(records: readonly unknown[], shape: Shape, key: string, kind: string, aside: SetAside[]): z.output<Shape>[] {
  return records.flatMap((record, index) => {
    const read = shape.safeParse(record)
    if (read.success) return [read.data]
    const [issue] = read.error.issues
    aside.push({ record: `${kind} ${idOf(record, key) || index + 1}`, reason: `${issue?.path.join('.') || 'it'}: ${issue?.message ?? 'is not understood'}` })
    return []
  })
}

const attributes = (given: z.output<typeof CaseVehicle>['accessibility_attributes']): string[] => (Array.isArray(given) ? given : Object.entries(given ?? {}).flatMap(([name, held]) => (held ? [name] : [])))

/** Vehicles with their events, both in MDS 2.0 form. What is no vehicle or event is set aside, and so is an event of a vehicle that is not there. */
export function readFleet(vehicles: readonly unknown[], events: readonly unknown[]): { tracks: VehicleTrack[]; aside: SetAside[] } {
  const aside: SetAside[] = []
  const steps = new Map<string, Step[]>()
  const known = readEach(vehicles, CaseVehicle, 'device_id', 'vehicle', aside)
  for (const { device_id: id } of known) steps.set(id, [])
  readEach(events, CaseEvent, 'event_id', 'event', aside).forEach((event, index) => {
    const own = steps.get(event.device_id)
    if (!own) return void aside.push({ record: `event ${event.event_id ?? index + 1}`, reason: `there is no vehicle ${event.device_id}` })
    const { location: at } = event
    own.push({ at: event.timestamp, state: event.vehicle_state, types: event.event_types as EventType[], lon: at.lng, lat: at.lat, accuracy: at.horizontal_accuracy ?? NaN, speed: event.speed ?? at.speed ?? NaN })
  })
  const tracks = known.map((vehicle): VehicleTrack => ({
    deviceId: vehicle.device_id, providerId: vehicle.provider_id, vehicleType: vehicle.vehicle_type, propulsionTypes: vehicle.propulsion_types ?? [], accessibility: attributes(vehicle.accessibility_attributes),
    steps: (steps.get(vehicle.device_id) ?? []).sort((a, b) => a.at - b.at),
  }))
  return { tracks, aside }
}
