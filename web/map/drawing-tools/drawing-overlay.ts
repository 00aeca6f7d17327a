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

/** Converts a part to features of the engine, which has no holes or multi-parts: each ring is a polygon. */
export function toFeature(part: DrawingPart, positions: readonly Position[]): GeoJSONStoreFeatures {
  const mode = modeByKind[part.kind]
  const geometry = toGeometry(drawnTypes[mode], [...positions])
  return { type: 'Feature', geometry, properties: { mode, part: part.id } }
}

const drawnTypes = { polygon: 'Polygon', linestring: 'LineString', point: 'Point' } as const
type DrawnType = (typeof drawnTypes)[keyof typeof drawnTypes]

function toGeometry(type: DrawnType, positions: Position[]) {
  if (type === 'Polygon') return { type, coordinates: [positions] }
  return type === 'Point' ? { type, coordinates: positions[0]! } : { type, coordinates: positions }
}

function getPositions({ type, coordinates }: GeoJSONStoreFeatures['geometry']): Position[] {
  if (type === 'Polygon') return coordinates[0] as Position[]
  return (type === 'Point' ? [coordinates] : coordinates) as Position[]
}

/** Converts a feature of the engine to a geometry, with its part if it has one. */
export function fromFeature(
  { geometry, properties }: GeoJSONStoreFeatures,
  restorePositions: (positions: readonly Position[]) => Position[],
): { part: { id: string; positions: Position[] } | null; geometry: Geometry } {
  const positions = restorePositions(getPositions(geometry))
  const id = properties['part']
  return {
    part: typeof id === 'string' ? { id, positions } : null,
    geometry: toGeometry(geometry.type, positions),
  }
}

/** The engine works with nine decimals; new positions are saved with seven, which is a centimeter. */
const engineDigits = 9
const savedDigits = 7

// Adding zero turns -0 into 0.
const roundPosition = ([x, y]: Position, digits: number): Position => [
  Number(x.toFixed(digits)) + 0,
  Number(y.toFixed(digits)) + 0,
]
const toPositionKey = (position: Position): string => roundPosition(position, engineDigits).join(' ')

/**
 * Restores the exact coordinates of positions that the engine rounds to nine decimals. Otherwise, every edit
 * would separate a shape from its neighbors by a tiny gap.
 */
export class ExactPositions {
  /** Exact positions by their rounded coordinates. */
  readonly #positions = new Map<string, Position>()

  /** Rounds positions for the engine and stores their exact values. */
  toEngine(positions: readonly Position[]): Position[] {
    for (const position of positions) this.remember(position)
    return positions.map((position) => roundPosition(position, engineDigits))
  }
  remember(position: Position): void {
    this.#positions.set(toPositionKey(position), position)
  }

  /** Converts positions from the engine: known ones to their exact values, new ones to centimeters. */
  fromEngine(positions: readonly Position[]): Position[] {
    return positions.map(
      (position) => this.#positions.get(toPositionKey(position)) ?? roundPosition(position, savedDigits),
    )
  }
  clear(): void {
    this.#positions.clear()
  }
}

const modeByTool = { corners: 'select', polygon: 'polygon', line: 'linestring', point: 'point' } as const

/** Drawing on the map with terra-draw. No other file depends on that library. */
export class DrawingOverlay implements Overlay<DrawingBoard> {
  readonly #map: MapLibreMap
  readonly #exactPositions = new ExactPositions()
  #engine: TerraDraw | null = null
  #scheme: Scheme | null = null
  #board: DrawingBoard | null = null
  #parts: readonly DrawingPart[] = []
  #snap: { targets: DrawingBoard['snapTo']; index: SnapIndex } | null = null

  constructor(map: MapLibreMap) {
    this.#map = map
  }
  show(board: DrawingBoard | null): void {
    const previous = this.#board
    this.#board = board
    if (!board) return this.#stop()
    if (!this.#engine || this.#scheme !== board.scheme) this.#start(board.scheme)
    if (this.#engine!.getMode() !== modeByTool[board.tool]) {
      this.#engine!.setMode(modeByTool[board.tool])
      this.#parts = []
      this.#engine!.clear()
      // Tests wait for this attribute: an earlier click would go to the previous tool.
      this.#map.getContainer().dataset['drawingTool'] = board.tool
    }
    if (board.tool === 'corners') this.#showParts(board, board.selected !== previous?.selected)
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
      if (typeof part === 'string' && part !== this.#board?.selected) this.#board?.onChoose(part)
    })
    engine.start()
    this.#engine = engine
    this.#scheme = scheme
  }

  #stop(): void {
    delete this.#map.getContainer().dataset['drawingTool']
    this.#engine?.stop()
    this.#engine = null
    this.#parts = []
    this.#exactPositions.clear()
  }

  /** Updates the engine's features. Changes made by the engine are not sent back, so that drags continue. */
  #showParts(board: DrawingBoard, hasSelectionChanged: boolean): void {
    const engine = this.#engine!
    const isSame =
      board.parts.length === this.#parts.length &&
      board.parts.every((part, index) => isSamePart(part, this.#parts[index]!))
    if (isSame && !hasSelectionChanged) return
    if (!isSame) {
      engine.clear()
      this.#exactPositions.clear()
      engine.addFeatures(
        board.parts.map((part) => toFeature(part, this.#exactPositions.toEngine(part.positions))),
      )
    }
    this.#parts = board.parts
    const selected = engine.getSnapshot().find(({ properties }) => properties['part'] === board.selected)
    for (const { id, properties } of engine.getSnapshot())
      if (properties['selected'] === true && id !== selected?.id && id !== undefined)
        engine.deselectFeature(id)
    if (selected?.id !== undefined && selected.properties['selected'] !== true)
      engine.selectFeature(selected.id)
  }

  #finish(feature: GeoJSONStoreFeatures | undefined, isDrawn: boolean): void {
    if (!feature) return
    const { part, geometry } = fromFeature(feature, (positions) => this.#exactPositions.fromEngine(positions))
    if (!isDrawn && part) {
      const nextParts = this.#parts.map((candidate) =>
        candidate.id === part.id ? { ...candidate, positions: part.positions } : candidate,
      )
      this.#parts = nextParts
      return this.#board?.onPartChange(part.id, part.positions)
    }
    // The engine still uses the feature during this call; it can be removed afterward.
    queueMicrotask(() => {
      if (feature.id !== undefined && this.#engine?.hasFeature(feature.id))
        this.#engine.removeFeatures([feature.id])
      this.#board?.onSketch(null)
      this.#board?.onDrawn(geometry)
    })
  }

  #sketch(): void {
    if (!this.#board || this.#board.tool === 'corners' || this.#engine?.getModeState() !== 'drawing') return
    const sketch = this.#engine
      .getSnapshot()
      .find(
        ({ properties, geometry }) => properties['currentlyDrawing'] === true && geometry.type !== 'Point',
      )
    if (sketch) this.#board.onSketch(sketch.geometry as Geometry)
  }

  readonly #snapToTargets: SnapToCustom = (event, { project }) => {
    const targets = this.#board?.snapTo ?? []
    if (targets.length === 0) return undefined
    if (this.#snap?.targets !== targets) this.#snap = { targets, index: new SnapIndex(targets) }
    const target = this.#snap.index.findNearest([event.lng, event.lat], project)
    if (target?.isCorner) this.#exactPositions.remember(target.place)
    return target
      ? (target.place.map((coordinate) => Number(coordinate.toFixed(engineDigits))) as Position)
      : undefined
  }
}

const isSamePart = (a: DrawingPart, b: DrawingPart): boolean =>
  a.id === b.id &&
  (a.positions === b.positions ||
    (a.positions.length === b.positions.length &&
      a.positions.every(([x, y], index) => b.positions[index]![0] === x && b.positions[index]![1] === y)))

export const createDrawingOverlay = (map: MapLibreMap): DrawingOverlay => new DrawingOverlay(map)
