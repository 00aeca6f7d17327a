import type { LineString, MultiLineString, MultiPoint, MultiPolygon, Point, Polygon } from 'geojson'

/** A geometry as it is stored: two dimensions, longitude and latitude in degrees (WGS 84). */
export type BoundaryGeometry = Polygon | MultiPolygon | LineString | MultiLineString | Point | MultiPoint

export interface BoundaryFeature {
  geometry: BoundaryGeometry
  /** Properties; nested values are JSON text. */
  properties: Record<string, string | number | boolean | null>
  /** Position of the record in the file, from 1. Several features of one record share it. */
  position: number
}
