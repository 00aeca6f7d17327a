import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Box } from './place.ts'

/** Roles of the layers of a region's own basemap; the levels of the layers are `basemap:land` and so on. */
export const basemapRoles = ['land', 'park', 'water', 'rail', 'street', 'place'] as const
export const BasemapRole = z.enum(basemapRoles)
export type BasemapRole = z.infer<typeof BasemapRole>

/** Maximum size of an uploaded basemap, in bytes. */
export const basemapBytesLimit = 512 * 1024 * 1024
/** Maximum number of shapes of an uploaded basemap. */
export const basemapShapesLimit = 400_000

/** First line of an uploaded basemap. */
export const BasemapHead = z.object({
  basemap: z.literal(1),
  attribution: z.string().trim().min(1).max(500),
  source: z.string().max(255),
})
export type BasemapHead = z.infer<typeof BasemapHead>

/** One line per shape. `id` identifies the same object in later uploads; an empty name means no name. */
export const BasemapShape = z.object({
  role: BasemapRole,
  id: z.string().min(1).max(60),
  name: z.string().max(200),
  class: z.string().regex(/^[a-z_]{0,30}$/),
  geometry: z.object({
    type: z.enum(['Point', 'LineString', 'Polygon', 'MultiPolygon']),
    coordinates: z.array(z.unknown()).min(1),
  }),
})
export type BasemapShape = z.infer<typeof BasemapShape>

/** Last line: the number of shapes, so that a truncated upload is detected. */
export const BasemapEnd = z.object({ end: z.number().int().min(0) })

/** The basemap of this deployment. */
export const Basemap = z
  .discriminatedUnion('kind', [
    /** The layers of the regions. */
    z.object({ kind: z.literal('embedded') }),
    /** Vector tiles on this server. `url` is a path; `layers` is empty if the file does not name layers. */
    z.object({
      kind: z.literal('tiles'),
      url: z.string(),
      attribution: z.string(),
      layers: z.array(z.string()),
      min_zoom: z.number().int(),
      max_zoom: z.number().int(),
      bounds: Box,
    }),
    /** A style on another server; `{scheme}` in the URL is replaced by light or dark. */
    z.object({ kind: z.literal('style'), url: z.string() }),
  ])
  .meta({ id: 'Basemap' })
export type Basemap = z.infer<typeof Basemap>

export const getBasemap = endpoint({
  route: 'GET /basemap',
  permission: 'public',
  summary: 'What is drawn below the maps of this deployment',
  request: {},
  response: Basemap,
})

/** JSON lines: BasemapHead, one BasemapShape per shape, BasemapEnd. */
export const replaceBasemap = endpoint({
  route: 'POST /regions/{region_id}/basemap',
  permission: 'edit_geography',
  summary: 'Replace the layers that are drawn below a region’s maps, all at once; `npm run basemap` sends it',
  request: { params: z.object({ region_id: z.string() }), body: { media: 'application/octet-stream' } },
  response: z.object({
    layers: z.array(
      z.object({
        shape_layer_uuid: z.uuid(),
        level: z.string(),
        layer_name: z.string(),
        shape_count: z.number().int(),
      }),
    ),
    attribution: z.string(),
  }),
})
