import type { Layer } from '#contract/geography.ts'
import type { Geometry } from '#contract/place.ts'
import { changeShapes } from '#server/geography/shapes/change-shapes.ts'
import { exportLayer } from '#server/geography/boundary-files/export/export-layer.ts'
import { findLayerHistory } from '#server/geography/shapes/find-history.ts'
import { listShapes } from '#server/geography/shapes/find-shapes.ts'
import { LayerTiles } from '#server/geography/tiles/layer-tiles.ts'
import { listShapeRows } from '#server/geography/shapes/list-shape-rows.ts'
import { createLayer } from '#server/geography/layers/save-layer.ts'
import type { Bench } from './open-bench.ts'
import { type Report, measureMs, measureRuns } from './table.ts'
import { findTile } from './tiles.ts'

/** Cells along each side of the grid: 50,176 blocks, as in a large city. */
const side = 224
/** Side of a cell of the grid, degrees: about 90 m. */
const step = 0.001

/** Makes a square block with 20 corners. Neighboring blocks share the corners of a border. */
function makeBlock(west: number, south: number): Geometry {
  const edge = (from: readonly [number, number], to: readonly [number, number]): [number, number][] =>
    Array.from({ length: 5 }, (_, index) => [
      from[0] + ((to[0] - from[0]) * index) / 5,
      from[1] + ((to[1] - from[1]) * index) / 5,
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

async function readToEnd(stream: NodeJS.ReadableStream): Promise<void> {
  for await (const _ of stream) continue
}

/** Measures a layer of 50,176 shapes: storing, listing, searching, editing, drawing, indexing, exporting. */
export async function benchGeography({ app, scope, regionId, city }: Bench, report: Report): Promise<void> {
  const { state, membership } = app
  const west = city.lon - (side * step) / 2
  const south = city.lat - (side * step) / 2
  const features = Array.from({ length: side * side }, (_, index) => ({
    position: index + 1,
    geometry: makeBlock(west + (index % side) * step, south + Math.floor(index / side) * step),
    properties: { name: `Block ${index}`, zone: `Zone ${index % 97}` },
  }))
  const parsedFile = {
    fileName: 'blocks.geojson',
    format: 'geojson',
    features,
    properties: [],
    suggestedName: 'name',
    notes: [],
    bbox: [west, south, west + side * step, south + side * step] as [number, number, number, number],
  }
  let created: Layer | undefined
  const storeMs = await measureMs(async () => {
    const fields = { layer_name: 'Grid', name_property: 'name' }
    created = await createLayer(state, scope, {
      regionId,
      reading: parsedFile,
      newLayer: fields,
      at: new Date(),
    })
  })
  if (!created) throw new Error('The layer was not created')
  const layer = created
  const id = layer.shape_layer_uuid
  const viewer = { scope }
  const params = { region_id: regionId, shape_layer_uuid: id }
  const name = `a layer of ${layer.shape_count.toLocaleString('en-US')} shapes`
  report.add(`${name}: stored`, 'ms', [storeMs])
  const addFiveRuns = async (action: string, work: (run: number) => Promise<unknown>): Promise<void> =>
    report.add(`${name}: ${action}`, 'ms', await measureRuns(5, work))
  const listRows = (query: {
    text?: string
    order_by?: 'shape_name' | '-modified_time'
    page?: number
    size?: number
  }) =>
    listShapeRows(state, { viewer, params, query: { order_by: 'shape_name', page: 1, size: 200, ...query } })
  await addFiveRuns('first page of its table', () => listRows({}))
  await addFiveRuns('last page of its table', () => listRows({ page: Math.ceil((side * side) / 200) }))
  await addFiveRuns('table, searched by name', (run) => listRows({ text: `Block ${run}99` }))
  await addFiveRuns('table, newest first', () => listRows({ order_by: '-modified_time' }))
  await addFiveRuns('5,000 rows of its table', () => listRows({ size: 5000 }))
  await addFiveRuns('history, one page', (run) =>
    findLayerHistory(state, { viewer, params, query: { page: run + 1, size: 50 } }),
  )
  const { x, y } = findTile(city.lon, city.lat, 12)
  let tiles = new LayerTiles(state)
  await addFiveRuns('first tile', () => {
    tiles = new LayerTiles(state)
    return tiles.getTile(scope, layer, { z: 12, x, y })
  })
  await addFiveRuns('further tiles', (run) =>
    tiles.getTile(scope, layer, { z: 13, x: 2 * x + run - 2, y: 2 * y }),
  )
  report.add(`${name}: index for maps by shape`, 'ms', [
    await measureMs(() => membership.forLayer(scope, layer, 0)),
  ])
  const { items } = await listShapes(state, scope, regionId, { shape_layer_uuid: id, page: 1, size: 50 })
  await addFiveRuns('one shape edited', (run) => {
    const shape = items[run]
    if (!shape) throw new Error('The layer has no shapes')
    return changeShapes(state, {
      viewer,
      params,
      body: {
        created: [],
        deleted: [],
        confirm: false,
        changed: [
          {
            shape_uuid: shape.shape_uuid,
            if_modified_time: shape.modified_time,
            shape_description: 'Edited',
            geom: makeBlock(west + 0.0001, south),
          },
        ],
      },
      at: new Date(),
    })
  })
  for (const format of ['geojson', 'kml', 'shapefile', 'csv'] as const)
    report.add(`${name}: exported as ${format}`, 'ms', [
      await measureMs(async () =>
        readToEnd(
          (await exportLayer(state, { viewer, params, query: { format } })).body as NodeJS.ReadableStream,
        ),
      ),
    ])
}
