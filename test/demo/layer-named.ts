import type { City, CityFeature } from '../../demo/city.ts'

/** The features of the layer with a name. */
export function layerNamed(city: City, name: string): CityFeature[] {
  const layer = city.layers.find((candidate) => candidate.name === name)
  if (!layer) throw new Error(`no layer ${name}`)
  return layer.features
}
