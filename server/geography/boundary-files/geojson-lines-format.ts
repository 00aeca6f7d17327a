import { BoundaryFileError } from './boundary-file-error.ts'
import { decodeText, readHeadText } from './decode-text.ts'
import { FeatureCollector } from './feature-collector.ts'
import { readFeatureProperties, getJsonMember } from './parse-json.ts'
import type { Format } from './boundary-content.ts'

const recordSeparator = '\u001e'

/** One GeoJSON feature or geometry per line, or GeoJSON text sequences with record separators (RFC 8142). */
export const geojsonLinesFormat = {
  key: 'geojson-lines',
  title: 'Newline-delimited GeoJSON',
  detect(name, head) {
    const text = readHeadText(head)
    if (text.startsWith(recordSeparator)) return 'by content'
    const end = text.indexOf('\n')
    if (
      text.startsWith('{') &&
      end > 0 &&
      text.slice(end).trimStart().startsWith('{') &&
      isJson(text.slice(0, end))
    )
      return 'by content'
    return /\.(geojsonl|geojsons|ndgeojson|ndjson|jsonl|geojsonseq)$/.test(name) ? 'by name' : null
  },
  read(bytes) {
    const collector = new FeatureCollector('Line')
    const { text, isGuessed } = decodeText(bytes)
    if (isGuessed)
      collector.note(
        null,
        'encoding-guessed',
        'The file is not UTF-8 text; it was read as Windows-1252. Check names with accents.',
      )
    const isSequence = text.includes(recordSeparator)
    let position = 0
    for (const record of text.split(isSequence ? recordSeparator : /\r?\n/)) {
      // Blank lines count, so that positions are line numbers; text before the first separator does not.
      if (!isSequence || position > 0 || record.trim() !== '') position += 1
      if (record.trim() !== '') addLine(record, position, collector)
    }
    return collector.finish('geojson-lines')
  },
} satisfies Format

function addLine(record: string, position: number, collector: FeatureCollector): void {
  let value: unknown
  try {
    value = JSON.parse(record)
  } catch {
    collector.note(position, 'not-json', `Line ${position} is not complete, valid JSON and was left out.`)
    return
  }
  if (getJsonMember(value, 'type') === 'FeatureCollection') {
    throw new BoundaryFileError(
      'not-geojson',
      `Line ${position} contains a whole FeatureCollection; a file of lines contains one feature a line.`,
      position,
    )
  }
  const isFeature = getJsonMember(value, 'type') === 'Feature'
  collector.add(
    position,
    isFeature ? getJsonMember(value, 'geometry') : value,
    isFeature ? readFeatureProperties(value) : null,
  )
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
