import { addKml } from './add-kml.ts'
import { FeatureCollector } from './feature-collector.ts'
import type { Format } from './format.ts'
import { headText } from './head-text.ts'

/** Google Earth's map language. */
export const kmlFormat: Format = {
  key: 'kml',
  title: 'KML',
  recognises(name, head) {
    const text = headText(head)
    if (text.startsWith('<') && /<([\w-]+:)?(kml|Placemark)[\s>]/.test(text)) return 'by content'
    return name.endsWith('.kml') ||
      (text.startsWith('<?xml') && !/<([\w-]+:)?(gpx|html|svg|osm)[\s>]/i.test(text))
      ? 'by name'
      : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Placemark')
    addKml(bytes, collector)
    return collector.finish(kmlFormat.key)
  },
}
