import type { Position } from 'geojson'
import type Geometry from 'jsts/org/locationtech/jts/geom/Geometry.js'
import IsValidOp from 'jsts/org/locationtech/jts/operation/valid/IsValidOp.js'
import { toJts } from './to-jts.ts'

/** From this many parts on, JTS's own way, every part against every other, is the slow one. */
const many = 40

/**
 * Whether polygons form one valid area (OGC Simple Features): no ring crosses or touches itself along a line, parts do not overlap.
 * @param connected That no part is cut in two by its holes is known, which saves a third of the time.
 */
export function isValidArea(polygons: readonly Position[][][], connected = false): boolean {
  const [only] = polygons
  if (only === undefined) return false
  const area = polygons.length === 1 ? toJts.polygon(only) : toJts.multiPolygon(polygons)
  if (connected) return new ConnectedOp(area).isValid()
  if (polygons.length < many) return new IsValidOp(area).isValid()
  return (
    polygons.every((rings) => new IsValidOp(toJts.polygon(rings)).isValid()) &&
    new ConnectedOp(area).isValid()
  )
}

/** For parts of which each is known to hang together. */
class ConnectedOp extends IsValidOp {
  /** A part can only lie in one whose box holds its own; sorted by their west sides, few others need a look. */
  override checkShellsNotNested(area: Geometry, graph: unknown): void {
    const parts = Array.from({ length: area.getNumGeometries() }, (_, index) => {
      const polygon = area.getGeometryN(index)
      const shell = polygon.getExteriorRing()
      const box = shell.getEnvelopeInternal()
      return {
        polygon,
        shell,
        west: box.getMinX(),
        east: box.getMaxX(),
        south: box.getMinY(),
        north: box.getMaxY(),
      }
    }).sort((a, b) => a.west - b.west)
    parts.forEach((outer, index) => {
      for (let other = index; other < parts.length; other += 1) {
        const inner = parts[other]
        if (inner === undefined || inner.west > outer.east) break
        if (other === index) continue
        if (inner.east <= outer.east && inner.south >= outer.south && inner.north <= outer.north)
          this.checkShellNotNested(inner.shell, outer.polygon, graph)
        if (
          inner.west === outer.west &&
          outer.east <= inner.east &&
          outer.south >= inner.south &&
          outer.north <= inner.north
        )
          this.checkShellNotNested(outer.shell, inner.polygon, graph)
      }
    })
  }

  override checkConnectedInteriors(): void {}
}
