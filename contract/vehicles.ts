import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType } from './mobility.ts'
import { LocalDay } from './period.ts'
import { EventType, VehicleState, vehicleStateNames } from './vehicle-states.ts'

/** What the live map tells of a vehicle: its state of MDS, or that nothing was heard of it for the region's lostAfterHours. */
export const liveStateNames = [...vehicleStateNames, 'lost'] as const
export const LiveState = z.enum(liveStateNames)
export type LiveState = z.infer<typeof LiveState>

/** Where it is known from: the operator's events and telemetry, or a GBFS snapshot, whose ids are good for that snapshot only. */
export const LiveSource = z.enum(['events', 'gbfs'])
export type LiveSource = z.infer<typeof LiveSource>

/** Parts of a degree in which places travel: a millionth, a tenth of a metre. */
export const placeSteps = 1_000_000

const Integers = z.array(z.number().int())

/**
 * Vehicles in columns, one entry a vehicle in each, so that 50,000 travel in two megabytes. Handles are small integers by which
 * deltas name vehicles; they are good until the stream says `reset`.
 */
export const LiveVehicles = z
  .object({
    /** Number of the last change that is in it: where the stream goes on. */
    at: z.number().int(),
    /** Ms since 1970; `since` and `seen` count back from here. */
    time: z.number().int(),
    groups: z.array(z.object({ operator: z.string(), vehicle_type: VehicleType, source: LiveSource })),
    states: z.array(LiveState),
    /** Longitude and latitude from which places count, degrees. */
    origin: z.tuple([z.number(), z.number()]),
    /** Ascending; each entry is the difference to the one before. */
    handle: Integers,
    /** Index into `groups`. */
    group: Integers,
    /** Index into `states`. */
    state: Integers,
    /** The number that stands on the vehicle; its device id where it was never registered. */
    vehicle_id: z.array(z.string()),
    /** Millionths of a degree from `origin`; null: not known. */
    lon: z.array(z.number().int().nullable()),
    lat: z.array(z.number().int().nullable()),
    /** Percent. */
    battery: z.array(z.number().int().nullable()),
    /** Seconds before `time` at which the newest event came that gave the state. */
    since: Integers,
    /** Seconds before `time` at which anything was heard of it last. */
    seen: Integers,
    /** Only when asked for; empty for vehicles of GBFS, which have none. */
    device_id: z.array(z.string()).optional(),
    /** In deltas: handles of vehicles that are no more. */
    gone: Integers.optional(),
  })
  .meta({ id: 'LiveVehicles' })
export type LiveVehicles = z.infer<typeof LiveVehicles>

export const LiveStation = z
  .object({
    operator: z.string(),
    station_id: z.string(),
    name: z.string(),
    lon: z.number(),
    lat: z.number(),
    capacity: z.number().int(),
    vehicles_available: z.number().int(),
    docks_available: z.number().int(),
    is_renting: z.boolean(),
    /** Ms since 1970. */
    seen: z.number().int(),
  })
  .meta({ id: 'LiveStation' })
export type LiveStation = z.infer<typeof LiveStation>

const positionFields = {
  lon: z.number().nullable(),
  lat: z.number().nullable(),
  battery: z.number().nullable(),
}

/** A vehicle as it is now and what it did today. Times are ms since 1970. */
export const VehicleDay = z
  .object({
    operator: z.string(),
    vehicle_id: z.string(),
    device_id: z.string().nullable(),
    vehicle_type: VehicleType,
    source: LiveSource,
    state: LiveState,
    since: z.number().int(),
    seen: z.number().int(),
    ...positionFields,
    propulsion_types: z.array(z.string()),
    /** The local day of the region, and when it began. */
    day: LocalDay,
    day_start: z.number().int(),
    /** That reach into the day, also where they began before it; `to` is null for the one that goes on. */
    intervals: z.array(
      z.object({
        state: VehicleState,
        from: z.number().int(),
        to: z.number().int().nullable(),
        event_types: z.array(EventType),
        ...positionFields,
      }),
    ),
    events: z.array(
      z.object({
        time: z.number().int(),
        state: VehicleState,
        event_types: z.array(EventType),
        ...positionFields,
      }),
    ),
    trips: z.array(
      z.object({
        trip_id: z.uuid(),
        start: z.number().int(),
        end: z.number().int().nullable(),
        distance_m: z.number().nullable(),
        duration_s: z.number().nullable(),
      }),
    ),
  })
  .meta({ id: 'VehicleDay' })
export type VehicleDay = z.infer<typeof VehicleDay>

const listOf = <T extends z.ZodType>(each: T) =>
  z.preprocess((text) => {
    try {
      return typeof text === 'string' ? JSON.parse(text) : text
    } catch {
      return text
    }
  }, z.array(each).default([]))

const inRegion = z.object({ region_id: z.string() })

export const getLiveVehicles = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/vehicles/live',
  permission: 'signed_in',
  summary: 'Every vehicle of a region as it is now, in columns; lists are JSON, empty ones mean all',
  ask: {
    params: inRegion,
    query: z.object({
      operators: listOf(z.string()),
      vehicle_types: listOf(VehicleType),
      states: listOf(LiveState),
      ids: z.stringbool().default(false),
    }),
  },
  answer: LiveVehicles,
})

/**
 * Server-sent events. `hello`: the stream is open. `vehicles`: LiveVehicles of those that changed, and `gone`. `stations`: they have
 * changed. `reset`: what changed since the number given is not known any more; the list must be asked for anew. The id of each event
 * is the number of the last change in it.
 */
export const streamLiveVehicles = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/vehicles/stream',
  permission: 'signed_in',
  summary: 'Changes of the vehicles of a region as they happen; resumes after `after` or Last-Event-ID',
  ask: { params: inRegion, query: z.object({ after: z.coerce.number().int().min(0).optional() }) },
  answer: { media: 'text/event-stream' },
})

export const listLiveStations = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/vehicles/stations',
  permission: 'signed_in',
  summary: 'Stations of a region as their feeds told last',
  ask: { params: inRegion },
  answer: z.object({ items: z.array(LiveStation) }),
})

export const getVehicleDay = endpoint({
  method: 'GET',
  path: '/regions/{region_id}/vehicles/{device_id}',
  permission: 'signed_in',
  personal: true,
  summary: 'One vehicle with its day so far. By device id, or by operator and number as in `swift:SW-0042`',
  ask: { params: inRegion.extend({ device_id: z.string().min(1).max(200) }) },
  answer: VehicleDay,
})
