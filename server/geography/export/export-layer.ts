import { Readable } from 'node:stream'
import type { ExportFormat as Key } from '#contract/geography-use.ts'
import type { Geometry } from '#contract/place.ts'
import { RawAnswer } from '#server/http/route.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { findLayer } from '../find-layer.ts'
import { exporters } from './export-formats.ts'

/** Pieces of at least so many characters or bytes: a write for every shape would cost more than the shape. */
const pieceLength = 256 * 1024

function* inLargePieces(pieces: Iterable<string | Uint8Array>): Generator<Uint8Array> {
  let text = ''
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      text += piece
      if (text.length < pieceLength) continue
    }
    if (text) yield Buffer.from(text)
    text = ''
    if (typeof piece !== 'string') yield piece
  }
  if (text) yield Buffer.from(text)
}

/** A layer as a file to be kept: its shapes in their order, with name, description, ids and properties. */
export async function exportLayer(
  state: State,
  scope: Scope,
  regionId: string,
  layerId: string,
  format: Key,
): Promise<RawAnswer> {
  const layer = await findLayer(state, scope, regionId, layerId)
  const rows = await state
    .as(scope)
    .selectFrom('shape')
    .select(['shape_uuid', 'shape_id', 'name', 'description', 'geometry', 'properties'])
    .where('layer_id', '=', layerId)
    .orderBy('position')
    .orderBy('shape_uuid')
    .execute()
  const shapes = rows.map((row) => ({
    shape_uuid: row.shape_uuid,
    shape_id: row.shape_id,
    shape_name: row.name,
    shape_description: row.description,
    geom: row.geometry as Geometry,
    properties: row.properties,
  }))
  const { ending, media, write } = exporters[format]
  return new RawAnswer(Readable.from(inLargePieces(write(layer, shapes))), {
    'content-type': media,
    'content-disposition': `attachment; filename="${layer.layer_slug}.${ending}"`,
    'cache-control': 'no-store',
  })
}
