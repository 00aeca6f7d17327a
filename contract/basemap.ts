import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Box } from './place.ts'

/** What a region's own basemap is made of: its layers have the levels `basemap:land` and so on. */
export const basemapRoles = ['land', 'park', 'water', 'rail', 'street', 'place'] as const
export const BasemapRole = z.enum(basemapRoles)
export type BasemapRole = z.infer<typeof BasemapRole>

/** Bytes of a whole basemap as it is sent, and shapes in it. */
export const basemapBytesLimit = 512 * 1024 * 1024
export const basemapShapesLimit = 400_000

/** The first line of a basemap as it is sent. */
export const BasemapHead = z.object({
  basemap: z.literal(1),
  attribution: z.string().trim().min(1).max(500),
  source: z.string().max(255),
})
export type BasemapHead = z.infer<typeof BasemapHead>

/** A line for each shape. `id` is the same whenever the same thing is sent again; an empty name is no name. */
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

/** The last line: how many shapes there were, so that half a basemap is known for what it is. */
export const BasemapEnd = z.object({ end: z.number().int().min(0) })

/** What is drawn under the maps of this deployment. */
export const Basemap = z
  .discriminatedUnion('kind', [
    /** The regions' own layers. */
    z.object({ kind: z.literal('embedded') }),
    /** A file of vector tiles that this server has. `url` is a path of the server; `layers`: the names of its layers, none where the file does not say. */
    z.object({
      kind: z.literal('tiles'),
      url: z.string(),
      attribution: z.string(),
      layers: z.array(z.string()),
      min_zoom: z.number().int(),
      max_zoom: z.number().int(),
      bounds: Box,
    }),
    /** A style of another server; `{scheme}` in it stands for light or dark. */
    z.object({ kind: z.literal('style'), url: z.string() }),
  ])
  .meta({ id: 'Basemap' })
export type Basemap = z.infer<typeof Basemap>

export const getBasemap = endpoint({
  method: 'GET',
  path: '/basemap',
  permission: 'public',
  summary: 'What is drawn under the maps of this deployment',
  ask: {},
  answer: Basemap,
})

/** Lines of JSON: BasemapHead, then a BasemapShape each, then BasemapEnd. */
export const replaceBasemap = endpoint({
  method: 'POST',
  path: '/regions/{region_id}/basemap',
  permission: 'edit_geography',
  summary:
    'Replace the layers that are drawn under a region’s maps, all in one go; `npm run basemap` sends it',
  ask: { params: z.object({ region_id: z.string() }), body: { media: 'application/octet-stream' } },
  answer: z.object({
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
