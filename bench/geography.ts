import type { Layer } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { changeShapes } from '#server/geography/change-shapes.ts'
import { exportLayer } from '#server/geography/export/export-layer.ts'
import { layerHistory } from '#server/geography/find-history.ts'
import { listShapes } from '#server/geography/find-shapes.ts'
import { LayerTiles } from '#server/geography/layer-tiles.ts'
import { listShapeRows } from '#server/geography/list-shape-rows.ts'
import { createLayer } from '#server/geography/save-layer.ts'
import { median, timed } from './median.ts'
import type { Bench } from './open-bench.ts'

const side = 224
/** Degrees of a cell of the grid: about 90 m. */
const step = 0.001

/** A grid of areas of 20 corners, a few sharing each border: 50,176 blocks of a large city. */
function block(west: number, south: number): Geometry {
  const edge = (from: readonly [number, number], to: readonly [number, number]): [number, number][] =>
    Array.from({ length: 5 }, (_, at) => [
      from[0] + ((to[0] - from[0]) * at) / 5,
      from[1] + ((to[1] - from[1]) * at) / 5,
    ])
  const [a, b, c, d] = [
    [west, south],
    [west + step, south],
    [west + step, south + step],
    [west, south + step],
  ] as const
  return {
    type: 'Polygon',
    coordinates: [[...edge(a, b), ...edge(b, c), ...edge(c, d), ...edge(d, a), [west, south]]],
  }
}

async function drained(stream: NodeJS.ReadableStream): Promise<number> {
  let bytes = 0
  for await (const part of stream) bytes += Buffer.byteLength(part)
  return bytes
}

/** What a layer of 50,000 shapes costs: to make, to list, to search, to edit, to draw, to ask and to take along. Milliseconds, the middle of five where it is asked again. */
export async function benchGeography({ app, scope, regionId, city }: Bench, say: (line: string) => void) {
  const { state, membership } = app
  const west = city.lon - (side * step) / 2
  const south = city.lat - (side * step) / 2
  const features = Array.from({ length: side * side }, (_, at) => ({
    position: at + 1,
    geometry: block(west + (at % side) * step, south + Math.floor(at / side) * step),
    properties: { name: `Block ${at}`, zone: `Zone ${at % 97}` },
  }))
  const reading = {
    fileName: 'blocks.geojson',
    format: 'geojson',
    features,
    properties: [],
    suggestedName: 'name',
    notes: [],
    bbox: [west, south, west + side * step, south + side * step] as [number, number, number, number],
  }
  let layer: Layer | undefined
  const store = await timed(
    async () =>
      (layer = await createLayer(
        state,
        scope,
        regionId,
        reading,
        { layer_name: 'Blocks', name_property: 'name' },
        new Date(),
      )),
  )
  if (!layer) throw new Error('No layer was made')
  const made = layer
  const id = made.shape_layer_uuid
  say(`${made.shape_count} shapes stored`)
  const five = async (work: (at: number) => Promise<unknown>): Promise<number> => {
    const found: number[] = []
    for (let at = 0; at < 5; at++) found.push(await timed(() => work(at)))
    return median(found)
  }
  const rows = (query: {
    text?: string
    order_by?: 'shape_name' | '-modified_time'
    page?: number
    size?: number
  }) => listShapeRows(state, scope, regionId, id, { order_by: 'shape_name', page: 1, size: 200, ...query })
  const tiles = new LayerTiles(state)
  const tile = (z: number, dx = 0): Promise<unknown> => {
    const rad = (city.lat * Math.PI) / 180
    return tiles.tile(
      scope,
      made,
      z,
      Math.floor(((city.lon + 180) / 360) * 2 ** z) + dx,
      Math.floor(((1 - Math.asinh(Math.tan(rad)) / Math.PI) / 2) * 2 ** z),
    )
  }
  const { items } = await listShapes(state, scope, regionId, { shape_layer_uuid: id, page: 1, size: 50 })
  const edit = (at: number): Promise<unknown> => {
    const shape = items[at]
    return changeShapes(
      state,
      scope,
      regionId,
      id,
      {
        created: [],
        deleted: [],
        confirm: false,
        changed: shape
          ? [
              {
                shape_uuid: shape.shape_uuid,
                if_modified_time: shape.modified_time,
                shape_description: 'Edited',
                geom: block(west + 0.0001, south),
              },
            ]
          : [],
      },
      new Date(),
    )
  }
  const figures = {
    shapes: made.shape_count,
    store_ms: median([store]),
    rows_first_page_ms: await five(() => rows({})),
    rows_last_page_ms: await five(() => rows({ page: Math.ceil((side * side) / 200) })),
    rows_found_ms: await five((at) => rows({ text: `Block ${at}99` })),
    rows_newest_ms: await five(() => rows({ order_by: '-modified_time' })),
    rows_5000_ms: await five(() => rows({ size: 5000 })),
    shapes_page_ms: await five(() =>
      listShapes(state, scope, regionId, { shape_layer_uuid: id, page: 3, size: 50 }),
    ),
    history_page_ms: await five((at) => layerHistory(state, scope, regionId, id, { page: at + 1, size: 50 })),
    first_tile_ms: median([await timed(() => tile(12))]),
    fresh_tile_ms: await five((at) => tile(13, at - 2)),
    kept_tile_ms: await five(() => tile(12)),
    index_ms: median([await timed(() => membership.of(scope, made, 0))]),
    index_kept_ms: await five(() => membership.of(scope, made, 0)),
    edit_one_ms: await five(edit),
    export_ms: {} as Record<string, number>,
  }
  say('listed, drawn, edited')
  for (const format of ['geojson', 'kml', 'shapefile', 'csv'] as const)
    figures.export_ms[format] = median([
      await timed(async () =>
        drained((await exportLayer(state, scope, regionId, id, format)).body as NodeJS.ReadableStream),
      ),
    ])
  return figures
}
