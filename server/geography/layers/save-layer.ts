import { randomUUID } from 'node:crypto'
import type { Layer } from '#contract/geography.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { BoundaryReading } from '../boundary-files/boundary-content.ts'
import { lockEditable } from '../shapes/edit/lock-layer.ts'
import { findLayer } from './find-layer.ts'
import { nameShapes } from '../boundary-files/name-shapes.ts'
import { summarizeLayer } from './summarize-layer.ts'
import { writeShapes } from '../shapes/write-shapes.ts'

/** The settings of a new layer, with the names of the API. */
export interface NewLayer {
  layer_name: string
  /** The property that names the shapes; null for the suggested one. */
  name_property: string | null
  level?: string | null | undefined
  buffers?: number[] | undefined
  editable?: boolean
}

/** The parts of a reading that a layer is created from. */
type LayerContent = Pick<BoundaryReading, 'features' | 'suggestedName'>

/** The content of new layers with shapes drawn by hand. */
export const emptyReading: LayerContent = { features: [], suggestedName: null }

/** Buffers of new layers, in meters. */
export const defaultBuffers = [0, 10, 25, 50, 100]

/** Creates a short name for URLs, of lowercase letters, digits and dashes. */
export const createSlug = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'layer'

interface LayerCreation {
  regionId: string
  reading: LayerContent
  newLayer: NewLayer
  at: Date
}

/** Creates a layer from a reading within the caller's transaction. Returns its id. */
export async function addLayer(
  store: Store,
  scope: Scope,
  { regionId, reading, newLayer, at }: LayerCreation,
): Promise<string> {
  const layerId = randomUUID()
  const usedSlugs = new Set(
    (await store.selectFrom('layer').select('slug').where('region_id', '=', regionId).execute()).map(
      ({ slug }) => slug,
    ),
  )
  const baseSlug = createSlug(newLayer.layer_name)
  let slug = baseSlug
  for (let n = 2; usedSlugs.has(slug); n++) slug = `${baseSlug}-${n}`
  await store
    .insertInto('layer')
    .values({
      layer_id: layerId,
      region_id: regionId,
      name: newLayer.layer_name,
      slug,
      level: newLayer.level ?? null,
      editable: newLayer.editable ?? true,
      buffers: JSON.stringify(newLayer.buffers ?? defaultBuffers),
      content_hash: '',
      created_time: at,
      modified_time: at,
      modified_by: scope.userId,
    })
    .execute()
  await writeShapes(
    { store, regionId, layerId, userId: scope.userId, at },
    nameShapes(reading, newLayer.name_property),
  )
  await summarizeLayer(store, layerId, scope.userId, at)
  return layerId
}

/** Creates a layer from a reading in a transaction of its own. */
export async function createLayer(
  state: State,
  scope: Scope,
  { regionId, reading, newLayer, at }: LayerCreation,
): Promise<Layer> {
  const layerId = await state
    .as(scope)
    .transaction()
    .execute((store) => addLayer(store, scope, { regionId, reading, newLayer, at }))
  return findLayer(state, scope, regionId, layerId)
}

interface ShapeReplacement {
  regionId: string
  layerId: string
  reading: BoundaryReading
  nameProperty: string | null
  at: Date
}

/**
 * Replaces the shapes of a layer with those of a reading. Shapes with the same name retain their id and get a
 * new version; missing ones are deleted.
 */
export async function replaceShapes(
  state: State,
  scope: Scope,
  { regionId, layerId, reading, nameProperty, at }: ShapeReplacement,
): Promise<Layer> {
  await findLayer(state, scope, regionId, layerId)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockEditable(store, regionId, layerId)
      await writeShapes(
        { store, regionId, layerId, userId: scope.userId, at },
        nameShapes(reading, nameProperty),
      )
      await summarizeLayer(store, layerId, scope.userId, at)
    })
  return findLayer(state, scope, regionId, layerId)
}
