import { createHash } from 'node:crypto'
import { type Layer, isBasemapLevel, levelsWithoutEvaluation } from '#contract/geography.ts'
import { type Box, isArea, getPolygons, type Area } from '#contract/place.ts'
import { findLayerGeometries } from '#server/geography/shapes/find-shapes.ts'
import { deriveUuid } from '#server/stores/derive-uuid.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import { ALL_SHAPES_ID, NO_SHAPE_ID } from './cube-columns.ts'

const hashBits = 52n

/**
 * Makes a UInt64 key as text. The first 12 bits are the sign and exponent of a size (square degrees) as a
 * Float64, so that shapes of similar size, such as those of a layer, are stored together. The other bits are
 * a hash of `text`.
 */
function makeSizedKey(size: number, text: string): string {
  const hash = createHash('sha256').update(text).digest().readBigUInt64BE()
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(size)
  const sizeBits = (bytes.readBigUInt64BE() >> hashBits) << hashBits
  return String(sizeBits | BigInt.asUintN(Number(hashBits), hash) || 1n)
}

function computeBoundingBox(area: Area): Box {
  const box: Box = [Infinity, Infinity, -Infinity, -Infinity]
  for (const [x, y] of getPolygons(area).flat(2)) {
    box[0] = Math.min(box[0], x)
    box[1] = Math.min(box[1], y)
    box[2] = Math.max(box[2], x)
    box[3] = Math.max(box[3], y)
  }
  return box
}

/** Makes the key of an area. Areas with the same rings in the same order share their sums, also across layers. */
export function makeShapeKey(area: Area): string {
  const [west, south, east, north] = computeBoundingBox(area)
  return makeSizedKey((east - west) * (north - south), JSON.stringify(getPolygons(area)))
}

/** Makes the key of everything outside of the shapes with `keys`. */
export const makeOutsideKey = (keys: readonly string[]): string =>
  makeSizedKey(Infinity, `outside ${[...new Set(keys)].toSorted().join(' ')}`)

/** The key of all facts, inside and outside of shapes. */
export const everywhereKey = makeSizedKey(Infinity, 'everywhere')

/** An area of a layer, or one of its totals. */
export interface KeyedShape {
  /** '' for totals. */
  shapeId: string
  /** Its number in the layer's indexes. */
  number: number
  /** A key of its geometry (`makeShapeKey`). */
  key: string
  /** Its bounding box; null for totals, which are unlimited. */
  box: Box | null
}

/** Returns whether a layer has cubes; basemap layers and those that no evaluation offers have none. */
export const hasCubes = ({
  level,
  layer_name: name,
  layer_slug: slug,
}: Pick<Layer, 'level' | 'layer_name' | 'layer_slug'>): boolean =>
  !isBasemapLevel(level) &&
  ![level, name, slug].some((text) => text !== null && levelsWithoutEvaluation.includes(text))

/**
 * Makes the totals of a layer: outside of all shapes, and everywhere. Shapes may overlap, so totals cannot be
 * computed from their sums.
 */
const makeTotalShapes = (keys: readonly string[]): KeyedShape[] =>
  keys.length === 0
    ? []
    : [
        { shapeId: '', number: NO_SHAPE_ID, key: makeOutsideKey(keys), box: null },
        { shapeId: '', number: ALL_SHAPES_ID, key: everywhereKey, box: null },
      ]

/** Reads the areas of a layer in order, followed by its totals. Points and lines have no cubes. */
export async function readKeyedShapes(
  state: State,
  scope: Scope,
  layerId: string,
): Promise<{ shapeIds: string[]; shapes: KeyedShape[] }> {
  const geometries = await findLayerGeometries(state, scope, layerId)
  const shapes = geometries.flatMap(({ shapeId, geometry }, index): KeyedShape[] => {
    if (!isArea(geometry)) return []
    return [{ shapeId, number: index + 1, key: makeShapeKey(geometry), box: computeBoundingBox(geometry) }]
  })
  return {
    shapeIds: geometries.map(({ shapeId }) => shapeId),
    shapes: [...shapes, ...makeTotalShapes(shapes.map(({ key }) => key))],
  }
}

/** Computes the bounding box of all shapes; null if one of them is unlimited. */
export const computeShapesBox = (shapes: readonly KeyedShape[]): Box | null =>
  shapes.reduce<Box | null>(
    (total, { box }) =>
      total &&
      box && [
        Math.min(total[0], box[0]),
        Math.min(total[1], box[1]),
        Math.max(total[2], box[2]),
        Math.max(total[3], box[3]),
      ],
    [Infinity, Infinity, -Infinity, -Infinity],
  )

/** Returns the id of a list of shapes, a hash of its content. */
export const hashShapeList = (shapes: readonly KeyedShape[]): string =>
  deriveUuid(shapes.map(({ number, key }) => `${number} ${key}`).join())

/** Returns the first shape of each key: shapes with the same key contain the same points. */
export function removeDuplicateKeys(shapes: readonly KeyedShape[]): KeyedShape[] {
  const byKey = new Map<string, KeyedShape>()
  for (const shape of shapes) if (!byKey.has(shape.key)) byKey.set(shape.key, shape)
  return [...byKey.values()]
}
