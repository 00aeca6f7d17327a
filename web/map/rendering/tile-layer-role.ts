/** How a layer of external tiles is drawn. */
export type TileLayerRole =
  | 'land'
  | 'green'
  | 'water'
  | 'building'
  | 'street'
  | 'rail'
  | 'place'
  | 'other'
  | 'none'

/** Roles by layer name, first match wins: Protomaps 3 and 4, OpenMapTiles, Shortbread, common names. */
const rolePatterns: [RegExp, TileLayerRole][] = [
  [
    /^(mask|pois?|physical_point|boundar\w*|\w*housenumber\w*|addresses|contours?|hillshade|aeroway|aerodrome_label|mountain_peak|\w*_(points?|label_points?)|dam_\w+|pier_\w+|bridges|sites)$/,
    'none',
  ],
  [/place|neighbou?rhood|district|quarter|suburb|locality/, 'place'],
  [/water|ocean|river|lake|^sea$|stream|canal|physical_line/, 'water'],
  [/^(earth|land|landmass)$/, 'land'],
  [/park|green|land_?use|land_?cover|natur|vegetation|forest|wood|garden/, 'green'],
  [/build/, 'building'],
  [/rail|transit|tram|train|metro/, 'rail'],
  [
    /road|street|highway|transport|arterial|collector|freeway|motorway|bike|cycle|path|trail|walk|footway/,
    'street',
  ],
]

/** Guesses the role of a layer from its name; for an unknown layer only lines are drawn. */
export const tileLayerRole = (layer: string): TileLayerRole =>
  rolePatterns.find(([name]) => name.test(layer.toLowerCase()))?.[1] ?? 'other'

/** Street class of a layer that does not state it per feature. */
export function streetClassOfLayer(layer: string): 'path' | 'local' | 'collector' | 'arterial' | 'freeway' {
  const name = layer.toLowerCase()
  if (/freeway|motorway/.test(name)) return 'freeway'
  if (/arterial/.test(name)) return 'arterial'
  if (/collector/.test(name)) return 'collector'
  return /bike|cycle|path|trail|walk|foot/.test(name) ? 'path' : 'local'
}

/** Layer names to try if a tile file does not list its layers. */
export const commonTileLayers: readonly string[] = [
  'earth',
  'landcover',
  'landuse',
  'natural',
  'park',
  'water',
  'waterway',
  'physical_line',
  'buildings',
  'building',
  'roads',
  'transportation',
  'streets',
  'transit',
  'places',
  'place',
  'transportation_name',
  'street_labels',
  'water_name',
]
