import { BoundaryFileError } from './boundary-file-error.ts'
import { limits } from './limits.ts'

/**
 * Parses a KML `coordinates` text: longitude,latitude[,altitude] tuples separated by blanks.
 * Blanks around commas are accepted. Invalid numbers are NaN, which is refused later with the record's name.
 */
function readKmlPositions(text: string): number[][] {
  const positions: number[][] = []
  const tuples = /[^\s,]+(?:\s*,\s*[^\s,]+)*/g
  for (let match = tuples.exec(text); match !== null; match = tuples.exec(text)) {
    if (positions.length >= limits.positions)
      throw new BoundaryFileError(
        'too-many-positions',
        `The file has more than ${limits.positions.toLocaleString('en')} vertices. Simplify the borders or send the file in parts.`,
      )
    positions.push(match[0].split(',').map(Number))
  }
  return positions
}

interface Polygon {
  outer: number[][][]
  inner: number[][][]
}

type Geometry = { type: string; coordinates: unknown }

/** Collects properties and geometries of a placemark from parser events. */
export class KmlPlacemark {
  readonly properties = new Map<string, unknown>()
  readonly #geometries: Geometry[] = []
  #polygon: Polygon | null = null
  #isInnerBoundary = false
  #track: number[][] | null = null
  /** The element to which the next coordinates belong. */
  #geometryElement = ''

  /** Handles the start of an element. Returns whether its text is needed. */
  open(name: string): boolean {
    if (name === 'Polygon') this.#polygon = { outer: [], inner: [] }
    else if (name === 'outerBoundaryIs') this.#isInnerBoundary = false
    else if (name === 'innerBoundaryIs') this.#isInnerBoundary = true
    else if (name === 'Track') this.#track = []
    else if (name === 'Point' || name === 'LineString' || name === 'LinearRing') this.#geometryElement = name
    return name === 'coordinates' || name === 'coord'
  }

  /** Handles the end of an element with its text. */
  close(name: string, text: string): void {
    if (name === 'coordinates') this.#addCoordinates(readKmlPositions(text))
    else if (name === 'coord') this.#track?.push(text.trim().split(/\s+/).map(Number))
    else if (name === 'Polygon' && this.#polygon !== null) {
      this.#geometries.push({
        type: 'Polygon',
        coordinates: [...this.#polygon.outer, ...this.#polygon.inner],
      })
      this.#polygon = null
    } else if (name === 'Track' && this.#track !== null) {
      this.#geometries.push({ type: 'LineString', coordinates: this.#track })
      this.#track = null
    }
  }

  /** Returns the geometry as unvalidated GeoJSON; null if there is none. */
  getGeometry(): unknown {
    return this.#geometries.length > 1
      ? { type: 'GeometryCollection', geometries: this.#geometries }
      : (this.#geometries[0] ?? null)
  }

  #addCoordinates(positions: number[][]): void {
    if (this.#polygon !== null)
      (this.#isInnerBoundary ? this.#polygon.inner : this.#polygon.outer).push(positions)
    else if (this.#geometryElement === 'Point')
      this.#geometries.push({ type: 'Point', coordinates: positions[0] ?? [] })
    else this.#geometries.push({ type: 'LineString', coordinates: positions })
  }
}
