import { createHash } from 'node:crypto'
import { type Layer, isBasemapLevel, levelsWithoutEvaluation } from '#contract/geography.ts'
import { type Box, isArea, polygonsOf, type Area } from '#contract/place.ts'
import { layerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { madeUuid } from '#server/stores/made-uuid.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID } from './cube-columns.ts'

const hashBits = 52n

/**
 * A UInt64 as text. Its first 12 bits are the exponent of a size (degrees²), so that shapes of about one size, such as those of a layer, are
 * stored together; the others are a hash.
 */
function sizedKey(size: number, text: string): string {
  const hash = createHash('sha256').update(text).digest().readBigUInt64BE()
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(size)
  return String(
    ((bytes.readBigUInt64BE() >> hashBits) << hashBits) | BigInt.asUintN(Number(hashBits), hash) || 1n,
  )
}

function boxOf(area: Area): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of polygonsOf(area).flat(2)) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

/** The key of an area's geometry: the same rings in the same order are the same shape, whatever layer they are in. */
export function shapeKey(area: Area): string {
  const [west, south, east, north] = boxOf(area)
  return sizedKey((east - west) * (north - south), JSON.stringify(polygonsOf(area)))
}

/** The key of what is outside of some shapes. */
export const outsideKey = (keys: readonly string[]): string =>
  sizedKey(Infinity, `outside ${[...new Set(keys)].toSorted().join(' ')}`)

/** The key of everything, anywhere it is. */
export const everywhereKey = sizedKey(Infinity, 'everywhere')

/** An area of a layer: its number in the layer's indexes, its key, and its geometry. */
export interface KeyedShape {
  shapeId: string
  number: number
  key: string
  /** Null: anywhere. */
  box: Box | null
}

/** Whether a layer has cubes: basemap layers and those that no evaluation offers have none. */
export const hasCubes = ({
  level,
  layer_name: name,
  layer_slug: slug,
}: Pick<Layer, 'level' | 'layer_name' | 'layer_slug'>): boolean =>
  !isBasemapLevel(level) &&
  ![level, name, slug].some((each) => each !== null && levelsWithoutEvaluation.includes(each))

/** The keys of a whole layer: what is in none of its shapes, and everything. Shapes may overlap, so these cannot be computed from their sums. */
const totalShapes = (keys: readonly string[]): KeyedShape[] =>
  keys.length === 0
    ? []
    : [
        { shapeId: '', number: NO_SHAPE_ID, key: outsideKey(keys), box: null },
        { shapeId: '', number: ALL_SHAPES_ID, key: everywhereKey, box: null },
      ]

/** The areas of a layer in order, and the keys of the whole layer. Points and lines have no cubes. */
export async function layerShapes(
  state: State,
  scope: Scope,
  layerId: string,
): Promise<{ shapeIds: string[]; shapes: KeyedShape[] }> {
  const all = await layerGeometries(state, scope, layerId)
  const shapes = all.flatMap(({ shapeId, geometry }, at): KeyedShape[] => {
    if (!isArea(geometry)) return []
    return [{ shapeId, number: at + 1, key: shapeKey(geometry), box: boxOf(geometry) }]
  })
  return {
    shapeIds: all.map(({ shapeId }) => shapeId),
    shapes: [...shapes, ...totalShapes(shapes.map(({ key }) => key))],
  }
}

/** Null if one of them may be anywhere. */
export const boxOfShapes = (shapes: readonly KeyedShape[]): Box | null =>
  shapes.reduce<Box | null>(
    (all, { box }) =>
      all &&
      box && [
        Math.min(all[0], box[0]),
        Math.min(all[1], box[1]),
        Math.max(all[2], box[2]),
        Math.max(all[3], box[3]),
      ],
    [Infinity, Infinity, -Infinity, -Infinity],
  )

/** The id of a list of shapes: the same list has the same. */
export const shapeListId = (shapes: readonly KeyedShape[]): string =>
  madeUuid(shapes.map(({ number, key }) => `${number} ${key}`).join())

/** Of shapes of one key the first: they hold the same points. */
export function uniqueByKey(shapes: readonly KeyedShape[]): KeyedShape[] {
  const found = new Map<string, KeyedShape>()
  for (const shape of shapes) if (!found.has(shape.key)) found.set(shape.key, shape)
  return [...found.values()]
}
