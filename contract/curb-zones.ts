import { z } from 'zod'
import { CurbId } from './cds.ts'
import { endpoint } from './endpoint.ts'
import { pageSchema, pageQuery } from './page.ts'
import { Box, GeometryShape } from './place.ts'

/** A curb zone in force, as an option in lists. */
export const CurbZoneChoice = z
  .object({
    curb_zone_id: CurbId,
    shape_uuid: z.uuid(),
    name: z.string().nullable(),
    street_name: z.string(),
    cross_street_start_name: z.string().nullable(),
    cross_street_end_name: z.string().nullable(),
    street_side: z.string().nullable(),
    length_m: z.number(),
    num_spaces: z.number().int().nullable(),
    bbox: Box,
  })
  .meta({ id: 'CurbZoneChoice' })
export type CurbZoneChoice = z.infer<typeof CurbZoneChoice>

const regionParams = z.object({ region_id: z.string() })
const degrees = z.coerce.number().min(-180).max(180)

export const listCurbZoneChoices = endpoint({
  route: 'GET /regions/{region_id}/curb/zone_choices',
  permission: 'signed_in',
  summary: 'Curb zones in force by street; `text` searches streets, names and ids',
  request: {
    params: regionParams,
    query: z.object({ text: z.string().max(200).default(''), ...pageQuery(300, 5000) }),
  },
  response: pageSchema(CurbZoneChoice),
})
/** Zones by id; unknown ones and those that ended are omitted. */
export const findCurbZoneChoices = endpoint({
  route: 'POST /regions/{region_id}/curb/zone_choices/find',
  permission: 'signed_in',
  reads: true,
  longBody: true,
  summary: 'Curb zones in force by their ids',
  request: { params: regionParams, body: z.object({ curb_zone_ids: z.array(CurbId).max(5000) }) },
  response: z.object({ items: z.array(CurbZoneChoice) }),
})
/** Geometries of at most 4,000 zones; `is_complete` is false if the box has more. */
export const listCurbZonesWithin = endpoint({
  route: 'GET /regions/{region_id}/curb/zone_choices/within',
  permission: 'signed_in',
  summary: 'Geometries of the curb zones in force in a box',
  request: {
    params: regionParams,
    query: z.object({ west: degrees, south: degrees, east: degrees, north: degrees }),
  },
  response: z.object({
    is_complete: z.boolean(),
    items: z.array(
      z.object({
        curb_zone_id: CurbId,
        street_name: z.string(),
        street_side: z.string().nullable(),
        geometry: GeometryShape,
      }),
    ),
  }),
})
/** Lengths in meters, rounded to centimeters. */
export const lookUpZoneLengths = endpoint({
  route: 'GET /regions/{region_id}/curb/zone_length_lookup',
  permission: 'signed_in',
  scope: 'curb:read',
  summary: 'Length of each curb zone in force',
  request: { params: regionParams },
  response: z.object({
    total_length_m: z.number(),
    items: z.array(z.object({ curb_zone_id: CurbId, shape_uuid: z.uuid(), length_m: z.number() })),
  }),
})
