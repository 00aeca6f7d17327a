import { z } from 'zod'
import { CdsPolicy, CdsZone, CurbId } from './cds.ts'
import { CurbSituation, CurbState, CurbWeek } from './curb-rules.ts'
import { endpoint } from './endpoint.ts'
import { pageSchema, pageQuery } from './page.ts'
import { Box } from './place.ts'

/**
 * The map of curb regulations. Instants are ms since 1970, lengths meters, fees minor units of the currency.
 * Every call exists twice: for users of the region, and as `/public/…` if the region publishes its
 * regulations.
 */

/** User classes and purposes of the vehicle, separated by commas. Default: a car without a stated purpose. */
const userQuery = {
  user_classes: z.string().max(1000).default('car'),
  purposes: z.string().max(1000).default(''),
}
const Instant = z.coerce.number().int().min(0).max(8_640_000_000_000)
/** Instant of the request; default: now. */
const atQuery = { at: Instant.optional() }

/** A change of what a rule set allows, as a tuple to keep responses small. */
export const CurbStep = z.tuple([
  /** Minutes since the start of the week. */
  z.number().int(),
  /** Index in `situations`. */
  z.number().int(),
])

/** A curb state with its limit and price. */
export const CurbMapSituation = z.object({
  state: CurbState,
  /** Minutes; null: no limit. */
  max_stay: z.number().nullable(),
  /** Price of the first hour in minor units; null: free, or a state without prices. */
  first_hour: z.number().nullable(),
})
export type CurbMapSituation = z.infer<typeof CurbMapSituation>

/** States of all zones over a local week. Zones with the same policies share a rule set, named by tiles. */
export const CurbMapWeek = z
  .object({
    /** Increases with each change of the region's curb; part of the URL of tiles. */
    version: z.number().int(),
    /** Time zone of the region. */
    zone: z.string(),
    currency: z.string(),
    /** Monday 00:00 local time. */
    from: z.number().int(),
    /** The next Monday 00:00. */
    to: z.number().int(),
    /** Part of the week in which these zones and rule sets apply; `valid_to` is excluded. */
    valid_from: z.number().int(),
    valid_to: z.number().int(),
    /** Value of `epoch` in the URL of tiles. */
    epoch: z.number().int(),
    zone_count: z.number().int(),
    length_m: z.number(),
    bbox: Box.nullable(),
    /** User classes and purposes in rules of the region, as choices for filters. */
    user_classes: z.array(z.string()),
    purposes: z.array(z.string()),
    situations: z.array(CurbMapSituation),
    sets: z.array(
      z.object({
        rule_set: z.string(),
        steps: z.array(CurbStep),
        zones: z.number().int(),
        length_m: z.number(),
      }),
    ),
  })
  .meta({ id: 'CurbMapWeek' })
export type CurbMapWeek = z.infer<typeof CurbMapWeek>

/** A zone as a row of the table, with its state at the instant. */
export const CurbZoneAt = z
  .object({
    curb_zone_id: CurbId,
    street_name: z.string(),
    street_side: z.string().nullable(),
    length_m: z.number(),
    capacity: z.number().int().nullable(),
    rule_set: z.string(),
    state: CurbState,
    max_stay: z.number().nullable(),
    first_hour: z.number().nullable(),
    bbox: Box,
  })
  .meta({ id: 'CurbZoneAt' })
export type CurbZoneAt = z.infer<typeof CurbZoneAt>

/** A zone with everything that applies to it at the instant. */
export const CurbZoneCard = z
  .object({
    curb_zone_id: CurbId,
    shape_uuid: z.uuid(),
    zone: CdsZone,
    length_m: z.number(),
    capacity: z.number().int().nullable(),
    /** `marked`: spaces are marked; `length`: length divided by the assumed length of a vehicle. */
    capacity_basis: z.enum(['marked', 'length']).nullable(),
    vehicle_length_m: z.number().nullable(),
    /** In the order of their priority. */
    policies: z.array(CdsPolicy),
    situation: CurbSituation,
    now: CurbMapSituation,
    /** The local week that contains the instant. */
    week: CurbWeek,
    currency: z.string(),
  })
  .meta({ id: 'CurbZoneCard' })
export type CurbZoneCard = z.infer<typeof CurbZoneCard>

/** A zone near a requested place, and what applies there. */
export const NearbyCurbZone = z
  .object({
    curb_zone_id: CurbId,
    street_name: z.string(),
    street_side: z.string().nullable(),
    distance_m: z.number(),
    situation: CurbSituation,
    /** The policies that the situation names, by id. */
    policies: z.array(CdsPolicy),
  })
  .meta({ id: 'NearbyCurbZone' })
export type NearbyCurbZone = z.infer<typeof NearbyCurbZone>

/** Meters of curb by state, for one hour of the local week (0 is Monday 00:00), averaged over the hour. */
export const CurbAllocation = z
  .object({
    from: z.number().int(),
    hours: z.array(z.partialRecord(CurbState, z.number())),
    length_m: z.number(),
  })
  .meta({ id: 'CurbAllocation' })
export type CurbAllocation = z.infer<typeof CurbAllocation>

const regionParams = z.object({ region_id: z.string() })
const tileParams = regionParams.extend({
  z: z.coerce.number().int().min(0).max(22),
  x: z.coerce.number().int().min(0),
  y: z.coerce.number().int().min(0),
})

const weekRequest = { params: regionParams, query: z.object({ ...atQuery, ...userQuery }) }
const tileRequest = {
  params: tileParams,
  query: z.object({ epoch: Instant, v: z.coerce.number().int().min(0) }),
}
const rowsRequest = {
  params: regionParams,
  query: z.object({
    ...atQuery,
    ...userQuery,
    text: z.string().max(200).default(''),
    /** States, separated by commas; empty: all. */
    states: z.string().max(300).default(''),
    ...pageQuery(300, 1000),
  }),
}
const cardRequest = {
  params: regionParams.extend({ curb_zone_id: CurbId }),
  query: z.object({ ...atQuery, ...userQuery }),
}
const hereRequest = {
  params: regionParams,
  query: z.object({
    lon: z.coerce.number().min(-180).max(180),
    lat: z.coerce.number().min(-90).max(90),
    /** Meters. */
    radius: z.coerce.number().min(1).max(500).default(30),
    ...atQuery,
    ...userQuery,
  }),
}
const exportRequest = {
  params: regionParams,
  query: z.object({ ...atQuery, ...userQuery, format: z.enum(['csv', 'geojson']).default('csv') }),
}
const allocationRequest = {
  params: regionParams,
  query: z.object({
    ...atQuery,
    ...userQuery,
    /** An instant to compare with. */
    compare_at: Instant.optional(),
  }),
}
const allocationResponse = z.object({ now: CurbAllocation, compared: CurbAllocation.nullable() })
const hereResponse = z.object({ items: z.array(NearbyCurbZone) })
const tileMedia = { media: 'application/vnd.mapbox-vector-tile' }
const curbPath = '/regions/{region_id}/curb'
const publicPath = `/public${curbPath}` as const
const publicText = 'where the region publishes its regulations'

export const getCurbWeek = endpoint({
  route: `GET ${curbPath}/week`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary:
    'What the rule sets of the curb allow over the local week of an instant, for a vehicle and purpose',
  request: weekRequest,
  response: CurbMapWeek,
})
export const getCurbTile = endpoint({
  route: `GET ${curbPath}/vector/{z}/{x}/{y}`,
  permission: 'signed_in',
  summary: 'Vector tile of the curb zones with their rule sets; `epoch` and `v` are those of the week',
  request: tileRequest,
  response: tileMedia,
})
export const listCurbZonesAt = endpoint({
  route: `GET ${curbPath}/zones_at`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'Curb zones with what holds at an instant, by page; `text` searches streets, names and ids',
  request: rowsRequest,
  response: pageSchema(CurbZoneAt),
})
export const getCurbZone = endpoint({
  route: `GET ${curbPath}/zones/{curb_zone_id}`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary:
    'A curb zone with its policies and what they allow at an instant, until when, and what applies then',
  request: cardRequest,
  response: CurbZoneCard,
})
export const getCurbHere = endpoint({
  route: `GET ${curbPath}/applies`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary:
    'What applies at a place: the curb zones within a radius, nearest first, each with the deciding rules',
  request: hereRequest,
  response: hereResponse,
})
export const exportCurbZones = endpoint({
  route: `GET ${curbPath}/export`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'All curb zones with what holds at an instant, as CSV or GeoJSON',
  medias: ['text/csv', 'application/geo+json'],
  request: exportRequest,
  response: { media: 'text/csv' },
})
export const getCurbAllocation = endpoint({
  route: `GET ${curbPath}/allocation_by_time`,
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'Meters of curb by state for each hour of the local week, and the same at another date',
  request: allocationRequest,
  response: allocationResponse,
})

export const getPublicCurbWeek = endpoint({
  ...getCurbWeek,
  route: `GET ${publicPath}/week`,
  permission: 'public',
  summary: `${getCurbWeek.summary}, ${publicText}`,
})
export const getPublicCurbTile = endpoint({
  ...getCurbTile,
  route: `GET ${publicPath}/vector/{z}/{x}/{y}`,
  permission: 'public',
  summary: `${getCurbTile.summary}, ${publicText}`,
})
export const listPublicCurbZonesAt = endpoint({
  ...listCurbZonesAt,
  route: `GET ${publicPath}/zones_at`,
  permission: 'public',
  summary: `${listCurbZonesAt.summary}, ${publicText}`,
})
export const getPublicCurbZone = endpoint({
  ...getCurbZone,
  route: `GET ${publicPath}/zones/{curb_zone_id}`,
  permission: 'public',
  summary: `${getCurbZone.summary}, ${publicText}`,
})
export const getPublicCurbHere = endpoint({
  ...getCurbHere,
  route: `GET ${publicPath}/applies`,
  permission: 'public',
  summary: `${getCurbHere.summary}, ${publicText}`,
})
export const exportPublicCurbZones = endpoint({
  ...exportCurbZones,
  route: `GET ${publicPath}/export`,
  permission: 'public',
  summary: `${exportCurbZones.summary}, ${publicText}`,
})
