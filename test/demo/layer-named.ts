import type { City, CityFeature } from '../../demo/city.ts'

/** Finds the features of the layer with a name. */
export function findLayer(city: City, name: string): CityFeature[] {
  const layer = city.layers.find((candidate) => candidate.name === name)
  if (!layer) throw new Error(`no layer ${name}`)
  return layer.features
}
