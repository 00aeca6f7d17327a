import { z } from 'zod'

/** Longitude, latitude in WGS84 degrees. */
export const Position = z.tuple([z.number().min(-180).max(180), z.number().min(-90).max(90)])
export type Position = [number, number]

/** West, south, east, north in degrees. */
export const Box = z.tuple([z.number(), z.number(), z.number(), z.number()])
export type Box = [number, number, number, number]

export type Geometry =
  | { type: 'Point'; coordinates: Position }
  | { type: 'MultiPoint' | 'LineString'; coordinates: Position[] }
  | { type: 'MultiLineString'; coordinates: Position[][] }
  | Area

export type Area =
  | { type: 'Polygon'; coordinates: Position[][] }
  | { type: 'MultiPolygon'; coordinates: Position[][][] }

/** A GeoJSON geometry; its rings are validated by the code that uses it, not here. */
export const GeometryShape = z
  .object({
    type: z.enum(['Point', 'MultiPoint', 'LineString', 'MultiLineString', 'Polygon', 'MultiPolygon']),
    coordinates: z.array(z.unknown()),
  })
  .transform((geometry) => geometry as unknown as Geometry)
  .meta({ id: 'Geometry' })

/** Returns the polygons of an area, each as a list of rings. */
export const getPolygons = (area: Area): Position[][][] =>
  area.type === 'Polygon' ? [area.coordinates] : area.coordinates

export const isArea = (geometry: Geometry): geometry is Area =>
  geometry.type === 'Polygon' || geometry.type === 'MultiPolygon'
