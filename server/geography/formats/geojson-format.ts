import { addGeoJson } from './add-geojson.ts'
import { FeatureCollector } from './feature-collector.ts'
import type { Format } from './format.ts'
import { headText } from './head-text.ts'
import { parseJson } from './parse-json.ts'

/** One GeoJSON value: FeatureCollection, Feature, geometry, or a plain list of features. */
export const geojsonFormat: Format = {
  key: 'geojson',
  title: 'GeoJSON',
  recognises(name, head) {
    if (/^[{[]/.test(headText(head))) return 'by content'
    return /\.(geo)?json$/.test(name) ? 'by name' : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Feature')
    addGeoJson(parseJson(bytes, collector), collector)
    return collector.finish(geojsonFormat.key)
  },
}
