import { OsmFileError } from './osm-file-error.ts'
import { WireReader } from './wire-reader.ts'

const known = ['OsmSchema-V0.6', 'DenseNodes']

/** Refuses files that need more than is understood here. */
export function checkHead(bytes: Uint8Array): void {
  const reader = new WireReader(bytes)
  for (let field = reader.field(); field !== 0; field = reader.field()) {
    if (field !== 4) {
      reader.skip()
      continue
    }
    const feature = reader.text()
    if (feature === 'HistoricalInformation')
      throw new OsmFileError(
        'This is a history file: it holds everything that ever was. Take an extract of today.',
      )
    if (!known.includes(feature))
      throw new OsmFileError(
        `The file needs '${feature.slice(0, 60)}' to be understood, which is not known here.`,
      )
  }
}
