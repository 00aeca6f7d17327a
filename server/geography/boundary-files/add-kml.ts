import { BoundaryFileError } from './boundary-file-error.ts'
import { decodeText } from './decode-text.ts'
import type { FeatureCollector } from './feature-collector.ts'
import { KmlPlacemark } from './kml-placemark.ts'
import { parseXml } from './parse-xml.ts'

const detailElements = new Set(['name', 'description', 'address', 'phoneNumber'])
const numberTypes = new Set(['int', 'uint', 'short', 'ushort', 'float', 'double'])
const rootElements = new Set(['kml', 'Document', 'Folder', 'Placemark'])
const ignoredElements: Record<string, string> = {
  NetworkLink: 'a link to another file',
  GroundOverlay: 'a picture laid on the ground',
  Model: 'a 3D model',
}

/**
 * Adds the placemarks of a KML document (OGC 12-007r2, with Google's tracks). Returns their number.
 * @param previousCount the number of records from earlier files, after which positions continue
 */
export function addKml(bytes: Uint8Array, collector: FeatureCollector, previousCount = 0): number {
  const { text: xml } = decodeText(bytes, readDeclaredEncoding(bytes))
  /** Names of the open elements, outermost first. */
  const path: string[] = []
  /** Names of the open folders, the outermost Document first. */
  const folders: string[] = []
  /** Types of the schema's fields by name. */
  const fieldTypes = new Map<string, string>()
  let placemark: KmlPlacemark | null = null
  let count = 0
  /** The name of the field that the next value belongs to. */
  let field = ''
  /** The text of the current element so far; null if it is not needed. */
  let textChunks: string[] | null = null

  const handleText = (name: string, parent: string, text: string): void => {
    if (placemark === null) {
      if (name === 'name' && (parent === 'Folder' || parent === 'Document'))
        folders[folders.length - 1] = text.trim()
      return
    }
    if (parent === 'Placemark' && detailElements.has(name)) placemark.properties.set(name, text.trim())
    else if (name === 'value' && parent === 'Data') placemark.properties.set(field, text.trim())
    else if (name === 'SimpleData')
      placemark.properties.set(field, parseField(text.trim(), fieldTypes.get(field)))
    else placemark.close(name, text)
  }

  parseXml(xml, {
    open(name, attributes) {
      if (path.length === 0 && !rootElements.has(name))
        throw new BoundaryFileError(
          'not-kml',
          `The file is XML but not KML: it begins with <${name.slice(0, 40)}>.`,
        )
      path.push(name)
      if (name === 'Placemark') {
        placemark = new KmlPlacemark()
        count += 1
      } else if (name === 'Folder' || name === 'Document') folders.push('')
      else if (name === 'SimpleField')
        fieldTypes.set(attributes.get('name') ?? '', attributes.get('type') ?? '')
      else if (name === 'Data' || name === 'SimpleData') field = attributes.get('name') ?? ''
      else if (Object.hasOwn(ignoredElements, name))
        collector.note(
          null,
          'left-out',
          `The file contains ${ignoredElements[name]}, which is no shape and was left out.`,
        )
      const hasCoordinates = placemark?.open(name) ?? false
      textChunks =
        hasCoordinates || detailElements.has(name) || name === 'value' || name === 'SimpleData' ? [] : null
    },
    text(text) {
      textChunks?.push(text)
    },
    close(name) {
      path.pop()
      handleText(name, path.at(-1) ?? '', textChunks?.join('') ?? '')
      textChunks = null
      if (name === 'Folder' || name === 'Document') folders.pop()
      if (name !== 'Placemark' || placemark === null) return
      const [, ...innerFolders] = folders
      const folder = innerFolders.filter((folderName) => folderName !== '').join(' / ')
      if (folder !== '' && !placemark.properties.has('folder')) placemark.properties.set('folder', folder)
      collector.add(previousCount + count, placemark.getGeometry(), Object.fromEntries(placemark.properties))
      placemark = null
    },
  })
  return count
}

function readDeclaredEncoding(bytes: Uint8Array): string | null {
  const head = new TextDecoder('latin1').decode(bytes.subarray(0, 200))
  return /^[^>]*encoding\s*=\s*["']([\w-]+)["']/.exec(head)?.[1] ?? null
}

/** Converts a field of a schema to its declared type. */
function parseField(text: string, type: string | undefined): string | number | boolean | null {
  if (type === 'bool') return text === '1' || text.toLowerCase() === 'true'
  if (type === undefined || !numberTypes.has(type)) return text
  return text === '' ? null : Number(text)
}
