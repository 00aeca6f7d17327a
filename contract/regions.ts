import { z } from 'zod'
import { BasemapRole } from './basemap.ts'
import { endpoint } from './endpoint.ts'
import { mapNames } from './map-names.ts'
import { nameSchema } from './names.ts'
import { pageQuery, pageSchema } from './page.ts'

export const MapName = z.enum(mapNames)
export type MapName = z.infer<typeof MapName>

const zoneExists = (zone: string): boolean => {
  try {
    new Intl.DateTimeFormat('en-US', { timeZone: zone }).format()
    return true
  } catch {
    return false
  }
}
export const Zone = z.string().min(1).refine(zoneExists, 'Not an IANA time zone')

/** A local time of day, 00:00 to 24:00. */
const Clock = z.string().regex(/^(([01]\d|2[0-3]):[0-5]\d|24:00)$/, 'A time of day is written HH:MM')

export const OrganizationType = z.enum(['city', 'agency', 'operator', 'other'])

/** A region in the specification's field names. */
export const Region = z
  .object({
    regionId: z
      .string()
      .regex(/^[a-z0-9][a-z0-9-]{0,39}$/, 'Lowercase letters, digits and dashes, at most 40'),
    text: nameSchema(120),
    lat: z.number().min(-85).max(85),
    lon: z.number().min(-180).max(180),
    mapZoom: z.number().min(0).max(20),
    currencyCode: z.string().regex(/^[A-Z]{3}$/, 'Three capital letters of ISO 4217'),
    organizationId: z.uuid(),
    timezone: Zone,
    isMetric: z.boolean(),
    distanceUnits: z.enum(['km', 'mi']),
    logoFilename: z.string().nullable(),
    hasMdsData: z.boolean(),
    hasMonthlyZip: z.boolean(),
    allowedMaps: z.array(MapName).nullable(),
    /** Trip aggregates below this count are hidden from the public (docs/metrics.md, Small numbers). */
    privacyMinimum: z.number().int().min(0).max(1000),
    /** Days for which raw data from operators is retained. */
    rawRetentionDays: z.number().int().min(0).max(3650),
    /** Hours without contact after which a vehicle is no longer counted (docs/metrics.md). */
    lostAfterHours: z.number().int().min(1).max(720),
    /** Whether positions closer to a border than their accuracy are violations (docs/metrics.md). */
    countsUncertain: z.boolean(),
    /** Local hours in which operators must provide service; midnight at the end is 24:00. */
    operatingHours: z.object({ from: Clock, until: Clock }),
  })
  .meta({ id: 'Region' })
export type Region = z.infer<typeof Region>

/** A region with its organization. */
export const RegionOfOrganization = Region.extend({
  organization: z.object({ id: z.uuid(), name: z.string(), type: OrganizationType }),
}).meta({ id: 'RegionOfOrganization' })
export type RegionOfOrganization = z.infer<typeof RegionOfOrganization>

export const NewRegion = Region.omit({ organizationId: true, distanceUnits: true }).partial({
  mapZoom: true,
  currencyCode: true,
  isMetric: true,
  logoFilename: true,
  hasMdsData: true,
  hasMonthlyZip: true,
  allowedMaps: true,
  privacyMinimum: true,
  rawRetentionDays: true,
  lostAfterHours: true,
  countsUncertain: true,
  operatingHours: true,
})
export type NewRegion = z.infer<typeof NewRegion>

const regionParams = z.object({ region_id: z.string() })
const listQuery = z.object({
  ...pageQuery(10),
  text: z.string().optional(),
  search: z.string().optional(),
  region_id: z.string().optional(),
  organization_uuid: z.uuid().optional(),
  order_by: z.enum(['text', '-text', 'regionId', '-regionId']).default('text'),
})

export const listRegions = endpoint({
  route: 'GET /regions',
  permission: 'signed_in',
  summary: 'Regions that the viewer may see',
  request: { query: listQuery },
  response: pageSchema(RegionOfOrganization),
})
export const getRegion = endpoint({
  route: 'GET /regions/{region_id}',
  permission: 'signed_in',
  summary: 'One region',
  request: { params: regionParams },
  response: RegionOfOrganization,
})
/** A basemap layer on public maps. `version` changes with its shapes. */
export const PublicBasemapLayer = z
  .object({
    shape_layer_uuid: z.uuid(),
    role: BasemapRole,
    version: z.string(),
    attribution: z.string().nullable(),
  })
  .meta({ id: 'PublicBasemapLayer' })

/** Public data of a region. */
export const PublicRegion = Region.pick({
  regionId: true,
  text: true,
  timezone: true,
  isMetric: true,
  lat: true,
  lon: true,
  mapZoom: true,
})
  .extend({
    /** Whether the public policies feed has policies, possibly ended ones. */
    has_published_policies: z.boolean(),
    /** Whether the public routes map is on. */
    has_public_routes: z.boolean(),
    /** Whether the public map of curb regulations is on. */
    has_public_regulations: z.boolean(),
    /** Whether the public table of curb rates is on. */
    has_public_rates: z.boolean(),
    /** Empty if the region has no public map. */
    basemap: z.array(PublicBasemapLayer),
  })
  .meta({ id: 'PublicRegion' })
export type PublicRegion = z.infer<typeof PublicRegion>
export const getPublicRegion = endpoint({
  route: 'GET /public/regions/{region_id}',
  permission: 'public',
  summary: 'Public data of one region',
  request: { params: regionParams },
  response: PublicRegion,
})
/** Public pages may request an unknown region: an empty list, unlike a 404, logs no error in the browser. */
export const listPublicRegions = endpoint({
  route: 'GET /public/regions',
  permission: 'public',
  summary: 'The public region with this id; an empty list if there is none',
  request: { query: z.object({ region_id: z.string() }) },
  response: z.object({ items: z.array(PublicRegion) }),
})
export const createRegion = endpoint({
  route: 'POST /regions',
  prefixes: ['/v2'],
  permission: 'is_admin',
  wholeOrganization: true,
  summary: 'Add a region to the organization',
  request: { body: NewRegion },
  response: RegionOfOrganization,
})
export const changeRegion = endpoint({
  route: 'PATCH /regions/{region_id}',
  permission: 'is_admin',
  summary: 'Change settings of a region',
  request: { params: regionParams, body: NewRegion.omit({ regionId: true }).partial() },
  response: RegionOfOrganization,
})
