import { BoundaryFileError } from './boundary-file-error.ts'
import { limits } from './limits.ts'

/**
 * The tuples of a KML `coordinates` text: longitude,latitude[,altitude] set apart by blanks.
 * Blanks beside a comma are forgiven. What is no number comes back as NaN, to be refused by name later.
 */
function kmlPositions(text: string): number[][] {
  const positions: number[][] = []
  const tuples = /[^\s,]+(?:\s*,\s*[^\s,]+)*/g
  for (let found = tuples.exec(text); found !== null; found = tuples.exec(text)) {
    if (positions.length >= limits.positions)
      throw new BoundaryFileError(
        'too-many-positions',
        `The file has more than ${limits.positions.toLocaleString('en')} vertices. Simplify the borders or send the file in parts.`,
      )
    positions.push(found[0].split(',').map(Number))
  }
  return positions
}

interface Polygon {
  outer: number[][][]
  inner: number[][][]
}

type Geometry = { type: string; coordinates: unknown }

/** One placemark while its elements go by: properties and geometries. */
export class KmlPlacemark {
  readonly properties = new Map<string, unknown>()
  private readonly geometries: Geometry[] = []
  private polygon: Polygon | null = null
  private innerBoundary = false
  private track: number[][] | null = null
  /** Element that holds the next coordinates. */
  private holder = ''

  /** Whether the element's text will be wanted when it closes. */
  open(name: string): boolean {
    if (name === 'Polygon') this.polygon = { outer: [], inner: [] }
    else if (name === 'outerBoundaryIs') this.innerBoundary = false
    else if (name === 'innerBoundaryIs') this.innerBoundary = true
    else if (name === 'Track') this.track = []
    else if (name === 'Point' || name === 'LineString' || name === 'LinearRing') this.holder = name
    return name === 'coordinates' || name === 'coord'
  }

  close(name: string, text: string): void {
    if (name === 'coordinates') this.addCoordinates(kmlPositions(text))
    else if (name === 'coord') this.track?.push(text.trim().split(/\s+/).map(Number))
    else if (name === 'Polygon' && this.polygon !== null) {
      this.geometries.push({ type: 'Polygon', coordinates: [...this.polygon.outer, ...this.polygon.inner] })
      this.polygon = null
    } else if (name === 'Track' && this.track !== null) {
      this.geometries.push({ type: 'LineString', coordinates: this.track })
      this.track = null
    }
  }

  /** As GeoJSON, unchecked; null when the placemark shows no place. */
  geometry(): unknown {
    return this.geometries.length > 1
      ? { type: 'GeometryCollection', geometries: this.geometries }
      : (this.geometries[0] ?? null)
  }

  private addCoordinates(positions: number[][]): void {
    if (this.polygon !== null) (this.innerBoundary ? this.polygon.inner : this.polygon.outer).push(positions)
    else if (this.holder === 'Point') this.geometries.push({ type: 'Point', coordinates: positions[0] ?? [] })
    else this.geometries.push({ type: 'LineString', coordinates: positions })
  }
}
