import { lockLayer } from '#server/geography/shapes/edit/lock-layer.ts'
import {
  type EditContext,
  findNextPosition,
  storeChanged,
  storeDeleted,
} from '#server/geography/shapes/edit/store-edits.ts'
import { writeFirstVersions } from '#server/geography/shapes/edit/write-versions.ts'
import { addLayer } from '#server/geography/layers/save-layer.ts'
import { selectShapes } from '#server/geography/shapes/read-shape.ts'
import { summarizeLayer } from '#server/geography/layers/summarize-layer.ts'
import { arraysAs } from '#server/stores/insert-rows.ts'
import type { Scope } from '#server/stores/scope.ts'
import { makeZoneLabel } from './zone-label.ts'
import type { Store } from '#server/stores/state.ts'

/** The level of the layer: a zone is a part of a block's curb. */
const layerLevel = 'blockface'

/** The result of reading a file without shapes, with which the layer is created. */
const emptyReading = {
  fileName: '',
  format: 'curb',
  features: [],
  properties: [],
  suggestedName: null,
  notes: [],
  bbox: [0, 0, 0, 0] as [number, number, number, number],
}

const toZoneLabel = (row: {
  curb_zone_id: string
  street_name: string
  street_side: string | null
  record: unknown
}): string =>
  makeZoneLabel({
    id: row.curb_zone_id,
    streetName: row.street_name,
    side: row.street_side,
    record: row.record,
  })

/**
 * Updates the shape layer of a region's curb zones, in the transaction that changed them. The layer has a
 * shape for each zone without an end: new ones are added, edited ones renamed, ended ones deleted. Users
 * cannot edit the layer.
 */
export async function mirrorLayer(store: Store, scope: Scope, regionId: string, at: Date): Promise<void> {
  const layerId = await findOrAddLayer(store, scope, regionId, at)
  await lockLayer(store, regionId, layerId)
  const added = await findAdded(store, regionId)
  const ended = await findEnded(store, { regionId, layerId })
  const renamed = await findRenamed(store, { regionId, layerId, at })
  const context: EditContext = { store, regionId, layerId, userId: scope.userId, at }
  await storeDeleted(context, ended, new Map(ended.map((row) => [row.shape_uuid, row])))
  await storeChanged(
    context,
    renamed.map((row) => ({ shape_uuid: row.shape_uuid, shape_name: toZoneLabel(row) })),
    new Map(renamed.map((row) => [row.shape_uuid, row])),
  )
  await storeZones(context, added)
  await summarizeLayer(store, layerId, scope.userId, at)
}

async function findOrAddLayer(store: Store, scope: Scope, regionId: string, at: Date): Promise<string> {
  const { layer_id: storedId } = await store
    .selectFrom('curb_settings')
    .select('layer_id')
    .where('region_id', '=', regionId)
    .executeTakeFirstOrThrow()
  if (storedId) return storedId
  const newLayer = { layer_name: 'Curb zones', name_property: null, level: layerLevel, editable: false }
  const layerId = await addLayer(store, scope, { regionId, reading: emptyReading, newLayer, at })
  await store
    .updateTable('curb_settings')
    .set({ layer_id: layerId })
    .where('region_id', '=', regionId)
    .execute()
  return layerId
}

/** Finds zones without a shape, in the order of their shapes. */
async function findAdded(store: Store, regionId: string): Promise<{ id: string; name: string }[]> {
  // Each column as one JSON array, which takes a third of the time of reading rows.
  const columns = await store
    .selectFrom((eb) =>
      eb
        .selectFrom('curb_zone')
        .leftJoin('shape', 'shape.shape_uuid', 'curb_zone.shape_uuid')
        .select(['curb_zone_id', 'street_name', 'street_side', 'record'])
        .where('curb_zone.region_id', '=', regionId)
        .where('end_time', 'is', null)
        .where('shape.shape_uuid', 'is', null)
        .orderBy('street_name')
        .orderBy('curb_zone_id')
        .as('missing'),
    )
    .select(({ fn }) => [
      fn.agg<string[] | null>('json_agg', ['curb_zone_id']).as('id'),
      fn.agg<string[]>('json_agg', ['street_name']).as('streetName'),
      fn.agg<(string | null)[]>('json_agg', ['street_side']).as('side'),
      fn.agg<unknown[]>('json_agg', ['record']).as('record'),
    ])
    .executeTakeFirstOrThrow()
  return (columns.id ?? []).map((id, index) => ({
    id,
    name: makeZoneLabel({
      id,
      streetName: columns.streetName[index]!,
      side: columns.side[index]!,
      record: columns.record[index],
    }),
  }))
}

/** Finds the shapes of zones that have ended. */
const findEnded = (store: Store, { regionId, layerId }: { regionId: string; layerId: string }) =>
  selectShapes(store)
    .leftJoin('curb_zone', (join) =>
      join
        .onRef('curb_zone.shape_uuid', '=', 'shape.shape_uuid')
        .on('curb_zone.region_id', '=', regionId)
        .on('curb_zone.end_time', 'is', null),
    )
    .where('shape.layer_id', '=', layerId)
    .where('curb_zone.curb_zone_id', 'is', null)
    .execute()

/** Finds the shapes of zones that were edited at `at`, if they have another name now. */
async function findRenamed(
  store: Store,
  { regionId, layerId, at }: { regionId: string; layerId: string; at: Date },
) {
  const editedShapes = await selectShapes(store)
    .innerJoin('curb_zone', (join) =>
      join.onRef('curb_zone.shape_uuid', '=', 'shape.shape_uuid').on('curb_zone.region_id', '=', regionId),
    )
    .select(['curb_zone_id', 'street_name', 'street_side', 'record'])
    .where('shape.layer_id', '=', layerId)
    .where('end_time', 'is', null)
    .where('curb_zone.updated_time', '>=', at)
    .execute()
  return editedShapes.filter((row) => row.name !== toZoneLabel(row))
}

/** Adds shapes for zones. The geometries are copied within the database. */
async function storeZones(
  context: EditContext,
  zones: readonly { id: string; name: string }[],
): Promise<void> {
  if (!zones.length) return
  const { store, regionId, layerId, userId, at } = context
  const fromPosition = await findNextPosition(context)
  await store
    .insertInto('shape')
    .columns([
      'shape_uuid',
      'region_id',
      'layer_id',
      'position',
      'shape_id',
      'name',
      'geometry',
      'bbox',
      'created_time',
      'modified_time',
      'modified_by',
    ])
    .expression((builder) =>
      builder
        .selectFrom(
          arraysAs(store, 'added', {
            id: { type: 'text', values: zones.map(({ id }) => id) },
            name: { type: 'text', values: zones.map(({ name }) => name) },
            position: { type: 'integer', values: zones.map((_, index) => fromPosition + index) },
          }),
        )
        .innerJoin('curb_zone', 'curb_zone.curb_zone_id', 'added.id')
        .select((eb) => [
          'curb_zone.shape_uuid',
          eb.val(regionId).as('region_id'),
          eb.val(layerId).as('layer_id'),
          'added.position',
          eb.cast<string>('curb_zone.shape_uuid', 'text').as('shape_id'),
          'added.name',
          'curb_zone.geometry',
          eb.fn<string>('jsonb_build_array', ['west', 'south', 'east', 'north']).as('bbox'),
          eb.val(at).as('created_time'),
          eb.val(at).as('modified_time'),
          eb.val(userId).as('modified_by'),
        ])
        .where('curb_zone.region_id', '=', regionId)
        // The order of two of the three indexes, which makes the insert faster.
        .orderBy('added.position'),
    )
    .execute()
  await writeFirstVersions(context, { fromPosition })
}
