import { randomUUID } from 'node:crypto'
import type { Kysely } from 'kysely'
import type { Layer } from '#contract/geography.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import type { BoundaryReading } from './boundary-reading.ts'
import { lockEditable } from './edit/lock-layer.ts'
import { findLayer } from './find-layer.ts'
import { nameShapes } from './name-shapes.ts'
import { summarizeLayer } from './summarize-layer.ts'
import { writeShapes } from './write-shapes.ts'

export interface NewLayer {
  layer_name: string
  name_property: string | null
  level?: string | null | undefined
  buffers?: number[] | undefined
  editable?: boolean
}

export const defaultBuffers = [0, 10, 25, 50, 100]

/** A short name for addresses: small letters, digits, dashes. */
export const slugOf = (name: string): string =>
  name
    .normalize('NFKD')
    .replace(/[\u0300-\u036f]/g, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-+|-+$/g, '')
    .slice(0, 60) || 'layer'

/** Makes a layer of a reading within a transaction; answers its id. */
export async function addLayer(
  store: Kysely<StateTables>,
  scope: Scope,
  regionId: string,
  reading: BoundaryReading,
  wanted: NewLayer,
  at: Date,
): Promise<string> {
  const layerId = randomUUID()
  const taken = new Set(
    (await store.selectFrom('layer').select('slug').where('region_id', '=', regionId).execute()).map(
      ({ slug }) => slug,
    ),
  )
  const base = slugOf(wanted.layer_name)
  let slug = base
  for (let n = 2; taken.has(slug); n++) slug = `${base}-${n}`
  await store
    .insertInto('layer')
    .values({
      layer_id: layerId,
      region_id: regionId,
      name: wanted.layer_name,
      slug,
      level: wanted.level ?? null,
      editable: wanted.editable ?? true,
      buffers: JSON.stringify(wanted.buffers ?? defaultBuffers),
      content_hash: '',
      created_time: at,
      modified_time: at,
      modified_by: scope.userId,
    })
    .execute()
  await writeShapes(
    { store, regionId, layerId, by: scope.userId, at },
    nameShapes(reading, wanted.name_property),
  )
  await summarizeLayer(store, layerId, scope.userId, at)
  return layerId
}

/** Makes a layer of a reading, all or nothing. */
export async function createLayer(
  state: State,
  scope: Scope,
  regionId: string,
  reading: BoundaryReading,
  wanted: NewLayer,
  at: Date,
): Promise<Layer> {
  const layerId = await state
    .as(scope)
    .transaction()
    .execute((store) => addLayer(store, scope, regionId, reading, wanted, at))
  return findLayer(state, scope, regionId, layerId)
}

/** Reads a file into a layer that exists: shapes of the same name keep their id and gain a geometry version, others are added, missing ones go. */
export async function replaceShapes(
  state: State,
  scope: Scope,
  regionId: string,
  layerId: string,
  reading: BoundaryReading,
  nameProperty: string | null,
  at: Date,
): Promise<Layer> {
  await findLayer(state, scope, regionId, layerId)
  await state
    .as(scope)
    .transaction()
    .execute(async (store) => {
      await lockEditable(store, regionId, layerId)
      await writeShapes({ store, regionId, layerId, by: scope.userId, at }, nameShapes(reading, nameProperty))
      await summarizeLayer(store, layerId, scope.userId, at)
    })
  return findLayer(state, scope, regionId, layerId)
}
