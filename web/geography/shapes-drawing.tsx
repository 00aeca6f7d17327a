import { useMemo } from 'react'
import type { Geometry, Box, Position } from '#contract/place.ts'
import { boxAroundGeometries } from '#web/map/rendering/box-around.ts'
import styles from './geography.module.css'

/** Geometries as one SVG drawing with a path each for areas, lines and points. */
interface Drawing {
  width: number
  height: number
  areas: string
  lines: string
  points: string
}

/** Web maps end near this latitude: the poles are infinitely far away in their projection. */
const maxLatitude = 85

function mercator(latitude: number): number {
  const lat = Math.min(Math.max(latitude, -maxLatitude), maxLatitude)
  return (Math.log(Math.tan(Math.PI / 4 + (lat * Math.PI) / 360)) * 180) / Math.PI
}

/** Fits the box into `width` x `height` pixels and draws all geometries in it, north up. */
export function createDrawing(
  geometries: readonly Geometry[],
  box: Box,
  width: number,
  height: number,
): Drawing {
  const [west, south, east, north] = [box[0], mercator(box[1]), box[2], mercator(box[3])]
  const scale = Math.min(width / Math.max(east - west, 1e-6), height / Math.max(north - south, 1e-6))
  const [left, top] = [(width - (east - west) * scale) / 2, (height - (north - south) * scale) / 2]
  const spot = ([lon, lat]: Position): string =>
    `${(left + (lon - west) * scale).toFixed(1)} ${(top + (north - mercator(lat)) * scale).toFixed(1)}`
  const line = (positions: readonly Position[]): string =>
    positions.length === 0 ? '' : `M${positions.map(spot).join('L')}`
  const ring = (positions: readonly Position[]): string => `${line(positions)}Z`
  // A line of length zero with round caps is a dot.
  const dot = (position: Position): string => `M${spot(position)}h0`
  const drawing: Drawing = { width, height, areas: '', lines: '', points: '' }
  for (const geometry of geometries) {
    if (geometry.type === 'Polygon') drawing.areas += geometry.coordinates.map(ring).join('')
    else if (geometry.type === 'MultiPolygon') drawing.areas += geometry.coordinates.flat().map(ring).join('')
    else if (geometry.type === 'MultiLineString') drawing.lines += geometry.coordinates.map(line).join('')
    else if (geometry.type === 'Point') drawing.points += dot(geometry.coordinates)
    else if (geometry.type === 'LineString') drawing.lines += line(geometry.coordinates)
    else drawing.points += geometry.coordinates.map(dot).join('')
  }
  return drawing
}

interface Props {
  geometries: readonly Geometry[]
  /** Accessible name of the drawing. */
  label: string
  width?: number
  height?: number
}

/** Outlines of shapes without a basemap, sufficient to check that the right file was selected. */
export function ShapesDrawing({ geometries, label, width = 640, height = 400 }: Props) {
  const drawing = useMemo(() => {
    const box = boxAroundGeometries(geometries)
    return box && createDrawing(geometries, box, width - 16, height - 16)
  }, [geometries, width, height])
  return (
    <svg className={styles['drawing']} viewBox={`-8 -8 ${width} ${height}`} role="img" aria-label={label}>
      {drawing ? (
        <>
          <path className={styles['areas']} d={drawing.areas} fillRule="evenodd" />
          <path className={styles['lines']} d={drawing.lines} />
          <path className={styles['points']} d={drawing.points} />
        </>
      ) : null}
    </svg>
  )
}
