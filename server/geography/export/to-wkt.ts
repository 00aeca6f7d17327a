import type { Geometry, Position } from '#contract/place.ts'

const at = ([x, y]: Position): string => `${x} ${y}`
const line = (positions: readonly Position[]): string => `(${positions.map(at).join(', ')})`
const polygon = (rings: readonly Position[][]): string => `(${rings.map(line).join(', ')})`

/** A geometry as well-known text (OGC 06-103r4), longitude first. */
export function toWkt(geometry: Geometry): string {
  const name = geometry.type.toUpperCase()
  switch (geometry.type) {
    case 'Point':
      return `${name} (${at(geometry.coordinates)})`
    case 'MultiPoint':
      return `${name} (${geometry.coordinates.map((each) => `(${at(each)})`).join(', ')})`
    case 'LineString':
      return `${name} ${line(geometry.coordinates)}`
    case 'MultiLineString':
    case 'Polygon':
      return `${name} ${polygon(geometry.coordinates)}`
    case 'MultiPolygon':
      return `${name} (${geometry.coordinates.map(polygon).join(', ')})`
  }
}
