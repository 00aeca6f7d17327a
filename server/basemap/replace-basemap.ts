import { randomUUID } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import type { Insertable } from 'kysely'
import { basemapRoles, type BasemapRole, type BasemapShape } from '#contract/basemap.ts'
import type { NodeReadable } from '#contract/endpoint.ts'
import { listLayers } from '#server/geography/layers/find-layer.ts'
import { toGeometryColumns } from '#server/geography/shapes/edit/shape-row.ts'
import { createSlug } from '#server/geography/layers/save-layer.ts'
import { summarizeLayer } from '#server/geography/layers/summarize-layer.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State, Store } from '#server/stores/state.ts'
import type { StateTables } from '#server/stores/state-tables.ts'
import { readLines } from './read-lines.ts'
import { checkBasemap, type CheckedBasemap } from './check-basemap.ts'

/** Derives the id of a basemap shape. It is stable: sending the same basemap twice changes nothing. */
const deriveShapeId = (regionId: string, role: BasemapRole, id: string): string =>
  deriveUuid(regionId, role, id)

/** Rows per statement; PostgreSQL allows 65,535 parameters. */
const batchSize = 500

const layerNames: Record<BasemapRole, string> = {
  land: 'Land',
  park: 'Parks and green',
  water: 'Water',
  rail: 'Rail',
  street: 'Streets',
  place: 'Places',
}

/** The region of the new basemap. Uploads are stored below `dataDir`. */
interface ReplaceContext {
  state: State
  scope: Scope
  regionId: string
  dataDir: string
  at: Date
}

/**
 * Replaces a region's basemap in one transaction. Layers of the levels `basemap:…` retain their ids if the
 * new basemap has shapes for them, and are deleted otherwise; other layers do not change. Basemap shapes have
 * no version history, because users cannot edit them.
 */
export async function replaceBasemap(
  { state, scope, regionId, dataDir, at }: ReplaceContext,
  body: NodeReadable,
) {
  await listLayers(state, scope, regionId)
  const folder = path.join(dataDir, 'basemap-uploads')
  await fs.promises.mkdir(folder, { recursive: true })
  await removeAbandonedUploads(folder, at)
  const file = path.join(folder, `${randomUUID()}.jsonl`)
  try {
    const checked = await checkBasemap(body, file)
    await state
      .as(scope)
      .transaction()
      .execute((store) => replaceLayers(store, { regionId, userId: scope.userId, at }, checked, file))
    const layers = (await listLayers(state, scope, regionId)).filter(({ level }) =>
      level?.startsWith('basemap:'),
    )
    return {
      layers: layers.map(({ shape_layer_uuid, level, layer_name, shape_count }) => ({
        shape_layer_uuid,
        level: level ?? '',
        layer_name,
        shape_count,
      })),
      attribution: checked.attribution,
    }
  } finally {
    await fs.promises.rm(file, { force: true })
  }
}

/** Removes files that a stopped server left behind. No upload takes a day, so older files are not in use. */
async function removeAbandonedUploads(folder: string, at: Date): Promise<void> {
  for (const name of await fs.promises.readdir(folder)) {
    const { mtimeMs } = await fs.promises.stat(path.join(folder, name)).catch(() => ({ mtimeMs: Infinity }))
    if (at.getTime() - mtimeMs > 24 * 3600_000) await fs.promises.rm(path.join(folder, name), { force: true })
  }
}

interface LayerChange {
  regionId: string
  userId: string | null
  at: Date
}

async function replaceLayers(
  store: Store,
  change: LayerChange,
  { attribution, counts }: CheckedBasemap,
  file: string,
): Promise<void> {
  const layers = await prepareEmptyLayers(store, change, [...counts.keys()], attribution)
  let rows: Insertable<StateTables['shape']>[] = []
  const flush = async (): Promise<void> => {
    if (rows.length) await store.insertInto('shape').values(rows).execute()
    rows = []
  }
  let position = 0
  for await (const line of readLines(fs.createReadStream(file), {
    maxBytes: Infinity,
    maxLineBytes: Infinity,
  })) {
    rows.push(createShapeRow(JSON.parse(line) as BasemapShape, change, layers, position++))
    if (rows.length >= batchSize) await flush()
  }
  await flush()
  for (const layerId of layers.values()) await summarizeLayer(store, layerId, change.userId, change.at)
}

function createShapeRow(
  { role, id, name, class: kind, geometry }: BasemapShape,
  { regionId, userId, at }: LayerChange,
  layers: ReadonlyMap<BasemapRole, string>,
  position: number,
): Insertable<StateTables['shape']> {
  return {
    shape_uuid: deriveShapeId(regionId, role, id),
    region_id: regionId,
    layer_id: layers.get(role)!,
    position,
    shape_id: id,
    name,
    ...toGeometryColumns(geometry as never),
    properties: JSON.stringify(kind ? { class: kind } : {}),
    created_time: at,
    modified_time: at,
    modified_by: userId,
  }
}

/**
 * Empties the layers of the given roles, creates missing ones and deletes the basemap layers of other roles.
 * Locks the region, so that two basemaps for it are stored one after the other. Returns the layers' ids.
 */
async function prepareEmptyLayers(
  store: Store,
  { regionId, userId, at }: LayerChange,
  roles: readonly BasemapRole[],
  attribution: string,
): Promise<Map<BasemapRole, string>> {
  await store
    .selectFrom('region')
    .select('region_id')
    .where('region_id', '=', regionId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  const storedLayers = await store
    .selectFrom('layer')
    .select(['layer_id', 'level', 'slug'])
    .where('region_id', '=', regionId)
    .orderBy('created_time')
    .forUpdate()
    .execute()
  const { ids, obsoleteIds } = assignRoles(storedLayers, roles)
  if (obsoleteIds.length) await store.deleteFrom('layer').where('layer_id', 'in', obsoleteIds).execute()
  const retainedIds = [...ids.values()]
  if (retainedIds.length) {
    for (const table of ['shape', 'shape_version'] as const)
      await store.deleteFrom(table).where('layer_id', 'in', retainedIds).execute()
    await store
      .updateTable('layer')
      .set({ attribution, editable: false })
      .where('layer_id', 'in', retainedIds)
      .execute()
  }
  const slugs = new Set(storedLayers.map(({ slug }) => slug))
  for (const role of roles) {
    if (ids.has(role)) continue
    const id = randomUUID()
    const baseSlug = createSlug(layerNames[role])
    let slug = baseSlug
    for (let n = 2; slugs.has(slug); n++) slug = `${baseSlug}-${n}`
    slugs.add(slug)
    await store
      .insertInto('layer')
      .values({
        layer_id: id,
        region_id: regionId,
        name: layerNames[role],
        slug,
        level: `basemap:${role}`,
        editable: false,
        buffers: '[]',
        content_hash: '',
        attribution,
        created_time: at,
        modified_time: at,
        modified_by: userId,
      })
      .execute()
    ids.set(role, id)
  }
  return ids
}

/** Returns which layers of a region are retained for the roles, and which ones are obsolete. */
function assignRoles(
  layers: readonly { layer_id: string; level: string | null }[],
  roles: readonly BasemapRole[],
): { ids: Map<BasemapRole, string>; obsoleteIds: string[] } {
  const ids = new Map<BasemapRole, string>()
  const obsoleteIds: string[] = []
  for (const { layer_id: id, level } of layers) {
    if (!level?.startsWith('basemap:')) continue
    const role = basemapRoles.find((name) => level === `basemap:${name}`)
    // If a level has several layers, the first one is retained: routes are matched to it.
    if (role && roles.includes(role) && !ids.has(role)) ids.set(role, id)
    else obsoleteIds.push(id)
  }
  return { ids, obsoleteIds }
}
