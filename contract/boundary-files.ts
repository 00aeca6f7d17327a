import { z } from 'zod'
import { endpoint } from './endpoint.ts'
import { Layer, layerName, layerSettings } from './geography.ts'
import { Box, GeometryShape } from './place.ts'

/** Maximum size of a boundary file. */
export const boundaryBytesLimit = 50 * 1024 * 1024
/** Maximum number of notes about a boundary file that are listed. */
export const maxBoundaryNotes = 500

/** What was changed or omitted. Notes about a feature have its position in the file (from 1) and name. */
export const Note = z.object({
  position: z.number().int().nullable(),
  name: z.string().nullable().optional(),
  code: z.string(),
  text: z.string(),
})
export type Note = z.infer<typeof Note>

/** Where features are: outside the region, inside it with swapped axes only, or larger than any city. */
export const LayerPlaces = z.object({
  features: z.number().int(),
  outside: z.number().int(),
  swapped: z.number().int(),
  oversized: z.number().int(),
})
export type LayerPlaces = z.infer<typeof LayerPlaces>

/**
 * Stores features even if most of them are outside the region, or one is far larger than a city. Without it
 * the response is a 409 with `{ places }` in `current`.
 */
const acceptOutside = { accept_outside: z.boolean().optional() }

export const BoundaryPreview = z
  .object({
    upload_uuid: z.uuid(),
    file_name: z.string(),
    format: z.string(),
    feature_count: z.number().int(),
    /** Best name property first. `notes`: what the user should know if shapes are named by this property. */
    properties: z.array(
      z.object({
        name: z.string(),
        filled: z.number(),
        distinct: z.number(),
        samples: z.array(z.string()),
        notes: z.array(Note),
      }),
    ),
    suggested_name: z.string().nullable(),
    notes: z.array(Note),
    /** Why creating a layer from this file requires `accept_outside`; null: no confirmation is needed. */
    question: z.string().nullable(),
    bbox: Box,
    /** Simplified for the preview map, at most 2,000 features. */
    features: z.array(
      z.object({
        type: z.literal('Feature'),
        geometry: GeometryShape,
        properties: z.record(z.string(), z.unknown()),
      }),
    ),
  })
  .meta({ id: 'BoundaryPreview' })
export type BoundaryPreview = z.infer<typeof BoundaryPreview>

const regionParams = z.object({ region_id: z.string() })

export const previewBoundaries = endpoint({
  route: 'POST /regions/{region_id}/shapes/preview',
  permission: 'edit_geography',
  summary:
    'Read a boundary file (GeoJSON, zipped shapefile, KML, KMZ, GeoPackage) and preview its content; no layer is stored',
  request: {
    params: regionParams,
    query: z.object({ file_name: z.string().min(1).max(255) }),
    body: { media: 'application/octet-stream' },
  },
  response: BoundaryPreview,
})
export const createLayer = endpoint({
  route: 'POST /regions/{region_id}/layers',
  permission: 'edit_geography',
  summary:
    'Create a layer from a previewed file, shapes named by the chosen property, or an empty one without a file. 409 with current.places if the preview has a question: accept_outside confirms it',
  request: {
    params: regionParams,
    body: z.object({
      layer_name: layerName,
      /** The previewed file; without it the layer has no shapes yet. */
      upload_uuid: z.uuid().optional(),
      name_property: z.string().nullable().default(null),
      ...layerSettings,
      ...acceptOutside,
    }),
  },
  response: z.object({ layer: Layer, notes: z.array(Note) }),
})
export const uploadShapes = endpoint({
  route: 'POST /regions/{region_id}/shapes/upload',
  permission: 'edit_geography',
  summary:
    'Read a boundary file into a layer in one call; shapes with the same name retain their id and get a new geometry version. 409 with current.places if most features are outside the region or one is far larger than a city: accept_outside confirms it',
  request: {
    params: regionParams,
    body: { media: 'application/octet-stream' },
    query: z.object({
      file_name: z.string().min(1).max(255),
      layer_name: layerName.optional(),
      shape_layer_uuid: z.uuid().optional(),
      name_property: z.string().optional(),
      level: z.string().max(40).optional(),
      accept_outside: z.stringbool().optional(),
    }),
  },
  response: z.object({ layer: Layer, notes: z.array(Note) }),
})
