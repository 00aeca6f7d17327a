import type { Geometry } from '#contract/place.ts'
import type { ShapeFigures } from '#contract/spatial.ts'

/** A shape of a layer, as GeoJSON has it. */
interface LayerShape {
  shapeId: string
  name: string
  geometry: Geometry
}

/** Figures by day as GeoJSON: a feature a shape, with the value of each day that has one under its date. */
export function daysAsFeatures(byDay: Readonly<Record<string, Record<string, ShapeFigures>>>, shapes: readonly LayerShape[]): object {
  const days = Object.keys(byDay).toSorted()
  const features = shapes.map(({ shapeId, name, geometry }) => {
    const values: Record<string, { value: number | null; n: number }> = {}
    for (const day of days) {
      const figures = byDay[day]?.[shapeId]
      if (figures) values[day] = { value: figures.value, n: figures.n }
    }
    return { type: 'Feature', id: shapeId, geometry, properties: { shape_uuid: shapeId, shape_name: name, days: values } }
  })
  return { type: 'FeatureCollection', features }
}
