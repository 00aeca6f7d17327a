import { TerraDraw, type GeoJSONStoreFeatures, type SnapToCustom } from 'terra-draw'
import { TerraDrawMapLibreGLAdapter } from 'terra-draw-maplibre-gl-adapter'
import type { Geometry, Position } from '#contract/place.ts'
import type { Scheme } from '#web/kit/theme.ts'
import type { MapLibreMap } from '../create-map.ts'
import type { Overlay } from '../overlay-slot.ts'
import type { DrawingBoard, DrawingPart } from './drawing-board.ts'
import { drawingModes } from './drawing-modes.ts'
import { SnapIndex } from './snap-index.ts'

const modeByKind = { outline: 'polygon', hole: 'polygon', line: 'linestring', point: 'point' } as const

/** A part as a feature of the engine, which knows neither holes nor geometries of several parts: each ring is a polygon of its own. */
export function toFeature(part: DrawingPart, positions: readonly Position[]): GeoJSONStoreFeatures {
  const geometry =
    part.kind === 'line'
      ? { type: 'LineString' as const, coordinates: [...positions] }
      : part.kind === 'point'
        ? { type: 'Point' as const, coordinates: positions[0]! }
        : { type: 'Polygon' as const, coordinates: [[...positions]] }
  return { type: 'Feature', geometry, properties: { mode: modeByKind[part.kind], part: part.id } }
}

/** What the engine says of a feature: the part that it stands for, if any, and what it is. */
export function fromFeature(
  { geometry, properties }: GeoJSONStoreFeatures,
  restorePositions: (positions: readonly Position[]) => Position[],
): { part: { id: string; positions: Position[] } | null; geometry: Geometry } {
  const raw = (
    geometry.type === 'Polygon'
      ? geometry.coordinates[0]!
      : geometry.type === 'Point'
        ? [geometry.coordinates]
        : geometry.coordinates
  ) as Position[]
  const positions = restorePositions(raw)
  const fullGeometry: Geometry =
    geometry.type === 'Polygon'
      ? { type: 'Polygon', coordinates: [positions] }
      : geometry.type === 'Point'
        ? { type: 'Point', coordinates: positions[0]! }
        : { type: 'LineString', coordinates: positions }
  const id = properties['part']
  return { part: typeof id === 'string' ? { id, positions } : null, geometry: fullGeometry }
}

/** Digits that the engine works with, and those that a new place gets: a centimetre. */
const engineDigits = 9
const savedDigits = 7

// Nothing is added to it, so that there is no minus zero.
const roundPosition = ([x, y]: Position, digits: number): Position => [
  Number(x.toFixed(digits)) + 0,
  Number(y.toFixed(digits)) + 0,
]
const positionKey = (place: Position): string => roundPosition(place, engineDigits).join(' ')

/**
 * The engine takes nine digits. Places that are not moved must come back as they were, to the last digit:
 * else each edit would part a shape from its neighbours by a hair.
 */
export class ExactPositions {
  readonly #places = new Map<string, Position>()

  /** Places for the engine; what they were is remembered. */
  toEngine(positions: readonly Position[]): Position[] {
    for (const place of positions) this.remember(place)
    return positions.map((place) => roundPosition(place, engineDigits))
  }

  remember(place: Position): void {
    this.#places.set(positionKey(place), place)
  }

  /** Places from the engine: known ones as they were, new ones to the centimetre. */
  fromEngine(positions: readonly Position[]): Position[] {
    return positions.map((place) => this.#places.get(positionKey(place)) ?? roundPosition(place, savedDigits))
  }

  clear(): void {
    this.#places.clear()
  }
}

const modeByTool = { corners: 'select', polygon: 'polygon', line: 'linestring', point: 'point' } as const

/** Drawing on the map, by terra-draw: the one place that knows it. It is fed boards, and tells the board's owner what was drawn. */
export class DrawingOverlay implements Overlay<DrawingBoard> {
  readonly #map: MapLibreMap
  readonly #exact = new ExactPositions()
  #engine: TerraDraw | null = null
  #scheme: Scheme | null = null
  #board: DrawingBoard | null = null
  #parts: readonly DrawingPart[] = []
  #snap: { of: DrawingBoard['snapTo']; index: SnapIndex } | null = null

  constructor(map: MapLibreMap) {
    this.#map = map
  }

  show(board: DrawingBoard | null): void {
    const before = this.#board
    this.#board = board
    if (!board) return this.#stop()
    if (!this.#engine || this.#scheme !== board.scheme) this.#start(board.scheme)
    if (this.#engine!.getMode() !== modeByTool[board.tool]) {
      this.#engine!.setMode(modeByTool[board.tool])
      this.#parts = []
      this.#engine!.clear()
    }
    if (board.tool === 'corners') this.#showParts(board, board.chosen !== before?.chosen)
  }

  remove(): void {
    this.#stop()
  }

  #start(scheme: Scheme): void {
    this.#stop()
    const adapter = new TerraDrawMapLibreGLAdapter({ map: this.#map, ignoreMismatchedPointerEvents: true })
    const engine = new TerraDraw({ adapter, modes: drawingModes(scheme, this.#snapToTargets) })
    engine.on('finish', (id, { action }) => this.#finish(engine.getSnapshotFeature(id), action === 'draw'))
    engine.on('change', () => this.#sketch())
    engine.on('select', (id) => {
      const part = engine.getSnapshotFeature(id)?.properties['part']
      if (typeof part === 'string' && part !== this.#board?.chosen) this.#board?.onChoose(part)
    })
    engine.start()
    this.#engine = engine
    this.#scheme = scheme
  }

  #stop(): void {
    this.#engine?.stop()
    this.#engine = null
    this.#parts = []
    this.#exact.clear()
  }

  /** The parts as the engine's features; what it made itself it is not told again, so that a handle stays in the hand. */
  #showParts(board: DrawingBoard, hasSelectionChanged: boolean): void {
    const engine = this.#engine!
    const isSame =
      board.parts.length === this.#parts.length &&
      board.parts.every((part, at) => isSamePart(part, this.#parts[at]!))
    if (isSame && !hasSelectionChanged) return
    if (!isSame) {
      engine.clear()
      this.#exact.clear()
      engine.addFeatures(board.parts.map((part) => toFeature(part, this.#exact.toEngine(part.positions))))
    }
    this.#parts = board.parts
    const chosen = engine.getSnapshot().find(({ properties }) => properties['part'] === board.chosen)
    for (const { id, properties } of engine.getSnapshot())
      if (properties['selected'] === true && id !== chosen?.id && id !== undefined) engine.deselectFeature(id)
    if (chosen?.id !== undefined && chosen.properties['selected'] !== true) engine.selectFeature(chosen.id)
  }

  #finish(feature: GeoJSONStoreFeatures | undefined, isDrawn: boolean): void {
    if (!feature) return
    const { part, geometry } = fromFeature(feature, (positions) => this.#exact.fromEngine(positions))
    if (!isDrawn && part) {
      const nextParts = this.#parts.map((each) =>
        each.id === part.id ? { ...each, positions: part.positions } : each,
      )
      this.#parts = nextParts
      return this.#board?.onPartChange(part.id, part.positions)
    }
    // The engine is not done with it yet: it may be taken away once this call is over.
    queueMicrotask(() => {
      if (feature.id !== undefined && this.#engine?.hasFeature(feature.id))
        this.#engine.removeFeatures([feature.id])
      this.#board?.onSketch(null)
      this.#board?.onDrawn(geometry)
    })
  }

  #sketch(): void {
    if (!this.#board || this.#board.tool === 'corners' || this.#engine?.getModeState() !== 'drawing') return
    const drawn = this.#engine
      .getSnapshot()
      .find(
        ({ properties, geometry }) => properties['currentlyDrawing'] === true && geometry.type !== 'Point',
      )
    if (drawn) this.#board.onSketch(drawn.geometry as Geometry)
  }

  readonly #snapToTargets: SnapToCustom = (event, { project }) => {
    const targets = this.#board?.snapTo ?? []
    if (targets.length === 0) return undefined
    if (this.#snap?.of !== targets) this.#snap = { of: targets, index: new SnapIndex(targets) }
    const near = this.#snap.index.findNearest([event.lng, event.lat], project)
    if (near?.isCorner) this.#exact.remember(near.place)
    return near ? (near.place.map((each) => Number(each.toFixed(9))) as Position) : undefined
  }
}

const isSamePart = (a: DrawingPart, b: DrawingPart): boolean =>
  a.id === b.id &&
  (a.positions === b.positions ||
    (a.positions.length === b.positions.length &&
      a.positions.every(([x, y], at) => b.positions[at]![0] === x && b.positions[at]![1] === y)))

export const createDrawingOverlay = (map: MapLibreMap): DrawingOverlay => new DrawingOverlay(map)
