import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { VehicleType } from './mobility.ts'
import { LocalDay } from './period.ts'
import { EventType, VehicleState, vehicleStateNames } from './vehicle-states.ts'

/** States on the live map: those of MDS, and `lost` after lostAfterHours of the region without contact. */
export const liveStateNames = [...vehicleStateNames, 'lost'] as const
export const LiveState = z.enum(liveStateNames)
export type LiveState = z.infer<typeof LiveState>

/** Source of the position: the operator's events and telemetry, or a GBFS snapshot with temporary ids. */
export const LiveSource = z.enum(['events', 'gbfs'])
export type LiveSource = z.infer<typeof LiveSource>

/** Steps per degree of transmitted positions: a millionth of a degree, a tenth of a meter. */
export const placeSteps = 1_000_000

const Integers = z.array(z.number().int())

/**
 * Vehicles in columns, with one entry per vehicle in each, so that 50,000 vehicles fit in two megabytes.
 * Deltas refer to vehicles by handles, small integers that are valid until the stream sends `reset`.
 */
export const LiveVehicles = z
  .object({
    /** Sequence number of the last included change, from which the stream continues. */
    at: z.number().int(),
    /** Milliseconds since 1970; `since` and `seen` count back from here. */
    time: z.number().int(),
    groups: z.array(z.object({ operator: z.string(), vehicle_type: VehicleType, source: LiveSource })),
    states: z.array(LiveState),
    /** Longitude and latitude that positions are relative to, in degrees. */
    origin: z.tuple([z.number(), z.number()]),
    /** Ascending; each entry is the difference from the previous one. */
    handle: Integers,
    /** Index into `groups`. */
    group: Integers,
    /** Index into `states`. */
    state: Integers,
    /** The number on the vehicle; its device id if it was never registered. */
    vehicle_id: z.array(z.string()),
    /** Millionths of a degree from `origin`; null: unknown. */
    lon: z.array(z.number().int().nullable()),
    lat: z.array(z.number().int().nullable()),
    /** Percent. */
    battery: z.array(z.number().int().nullable()),
    /** Seconds before `time` of the newest event that set the state. */
    since: Integers,
    /** Seconds before `time` of the last contact. */
    seen: Integers,
    /** Only on request; empty for vehicles of GBFS, which have none. */
    device_id: z.array(z.string()).optional(),
    /** In deltas: handles of removed vehicles. */
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
    /** Milliseconds since 1970. */
    seen: z.number().int(),
  })
  .meta({ id: 'LiveStation' })
export type LiveStation = z.infer<typeof LiveStation>

const positionFields = {
  lon: z.number().nullable(),
  lat: z.number().nullable(),
  battery: z.number().nullable(),
}

/** A vehicle now, and what it did today. Times are ms since 1970. */
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
    /** The local day of the region. */
    day: LocalDay,
    /** Start of the day. */
    day_start: z.number().int(),
    /** Intervals that overlap the day, even if they started before it; `to` is null for the current one. */
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

/** Returns the schema of a list as a query parameter in JSON; empty: all. */
const listParameter = <T extends z.ZodType>(item: T) =>
  z.preprocess((text) => {
    try {
      return typeof text === 'string' ? JSON.parse(text) : text
    } catch {
      return text
    }
  }, z.array(item).default([]))

const regionParams = z.object({ region_id: z.string() })

export const getLiveVehicles = endpoint({
  route: 'GET /regions/{region_id}/vehicles/live',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  summary: 'Every vehicle of a region now, in columns; lists are JSON, empty lists mean all',
  request: {
    params: regionParams,
    query: z.object({
      operators: listParameter(z.string()),
      vehicle_types: listParameter(VehicleType),
      states: listParameter(LiveState),
      ids: z.stringbool().default(false),
    }),
  },
  response: LiveVehicles,
})

/**
 * Server-sent events. `hello`: the stream is open. `vehicles`: LiveVehicles of the changed vehicles, and
 * `gone`. `stations`: stations have changed. `reset`: changes since the requested number are not available
 * (any more); it has LiveVehicles of all vehicles, which replace the list. The id of each event is the number
 * of its last change.
 */
export const streamLiveVehicles = endpoint({
  route: 'GET /regions/{region_id}/vehicles/stream',
  permission: 'signed_in',
  summary: 'Changes of the vehicles of a region as they happen; resumes after `after` or Last-Event-ID',
  request: { params: regionParams, query: z.object({ after: z.coerce.number().int().min(0).optional() }) },
  response: { media: 'text/event-stream' },
})

export const listLiveStations = endpoint({
  route: 'GET /regions/{region_id}/vehicles/stations',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  summary: 'Stations of a region as last reported by their feeds',
  request: { params: regionParams },
  response: z.object({ items: z.array(LiveStation) }),
})

export const getVehicleDay = endpoint({
  route: 'GET /regions/{region_id}/vehicles/{device_id}',
  permission: 'signed_in',
  scope: 'mds.provider:read',
  personal: true,
  summary: 'One vehicle with its day so far. By device id, or by operator and number as in `swift:SW-0042`',
  request: { params: regionParams.extend({ device_id: z.string().min(1).max(200) }) },
  response: VehicleDay,
})
