import { BoundaryFileError } from './boundary-file-error.ts'
import { limits } from './limits.ts'

interface XmlHandler {
  /** Called for the start of an element. Names have no namespace prefix. */
  open(name: string, attributes: ReadonlyMap<string, string>): void
  text(text: string): void
  close(name: string): void
}

// Patterns are sticky (`y`): they match at `lastIndex` only, without a copy of the text.
const namePattern = /([^\s<>/=!?"']+)/y
const attributePattern = /\s+([^\s<>/="']+)\s*=\s*(?:"([^"<]*)"|'([^'<]*)')/y
const tagEndPattern = /\s*(\/?)>/y
const entityPattern = /&(?:#x([0-9a-f]{1,6})|#(\d{1,7})|(amp|lt|gt|quot|apos));/gi
const namedEntities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" }

/**
 * Parses XML without building a tree, so that 50 MB need no more memory than the text.
 * Document types are rejected, so that no entities can be declared or loaded.
 */
export function parseXml(text: string, handler: XmlHandler): void {
  /** Names of the elements that are open, outermost first. */
  const openElements: string[] = []
  let offset = 0
  let hasRoot = false
  const fail = (reason: string): never => {
    throw new BoundaryFileError(
      'not-xml',
      `The file is not complete, valid XML: ${reason} (line ${text.slice(0, offset).split('\n').length.toLocaleString('en')}).`,
    )
  }
  /** Finds the offset of the next mark, such as the end of a comment. */
  const findMark = (mark: string, from: number): number => {
    const end = text.indexOf(mark, from)
    return end < 0 ? fail('it ends too early') : end
  }
  while (offset < text.length) {
    const next = text.indexOf('<', offset)
    const end = next < 0 ? text.length : next
    if (end > offset && openElements.length > 0) handler.text(unescape(text.slice(offset, end)))
    else if (openElements.length === 0 && text.slice(offset, end).trim() !== '')
      fail('there is text outside its first element')
    if (next < 0) break
    offset = next
    if (text.startsWith('<!--', offset)) {
      offset = findMark('-->', offset + 4) + 3
    } else if (text.startsWith('<![CDATA[', offset)) {
      const stop = findMark(']]>', offset + 9)
      handler.text(text.slice(offset + 9, stop))
      offset = stop + 3
    } else if (text.startsWith('<?', offset)) {
      offset = findMark('?>', offset + 2) + 2
    } else if (text.startsWith('<!', offset)) {
      throw new BoundaryFileError(
        'unsafe-xml',
        'The file declares a document type (DOCTYPE), which could make it read other files, so it was refused. Export it again without one.',
      )
    } else if (text.startsWith('</', offset)) {
      const stop = findMark('>', offset)
      const name = text.slice(offset + 2, stop).trim()
      if (openElements.pop() !== name) fail(`</${name.slice(0, 40)}> closes what was not open`)
      handler.close(getLocalName(name))
      offset = stop + 1
    } else {
      if (hasRoot && openElements.length === 0) fail('it has more than one outermost element')
      hasRoot = true
      const { name, attributes, isEmpty, end: stop } = readStartTag(text, offset, fail)
      if (openElements.length >= limits.xmlDepth)
        throw new BoundaryFileError(
          'unsafe-xml',
          `The file nests elements more than ${limits.xmlDepth} deep, which no map does, so it was refused.`,
        )
      handler.open(getLocalName(name), attributes)
      if (isEmpty) handler.close(getLocalName(name))
      else openElements.push(name)
      offset = stop
    }
  }
  const unclosed = openElements.at(-1)
  if (unclosed !== undefined) fail(`it ends before </${unclosed.slice(0, 40)}>`)
  if (!hasRoot) fail('it has no element')
}

interface StartTag {
  name: string
  attributes: Map<string, string>
  /** Whether the tag is also the end of its element. */
  isEmpty: boolean
  end: number
}

function readStartTag(text: string, offset: number, fail: (reason: string) => never): StartTag {
  namePattern.lastIndex = offset + 1
  const name = namePattern.exec(text)?.[1] ?? fail('a “<” starts no element')
  const attributes = new Map<string, string>()
  let end = namePattern.lastIndex
  for (;;) {
    attributePattern.lastIndex = end
    const match = attributePattern.exec(text)
    if (match === null) break
    attributes.set(getLocalName(match[1] ?? ''), unescape(match[2] ?? match[3] ?? ''))
    end = attributePattern.lastIndex
  }
  tagEndPattern.lastIndex = end
  const tagEnd = tagEndPattern.exec(text) ?? fail(`<${name.slice(0, 40)}> does not end`)
  return { name, attributes, isEmpty: tagEnd[1] === '/', end: tagEndPattern.lastIndex }
}

function getLocalName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** Replaces entities. Unknown ones, such as &nbsp; in KML from the web, remain unchanged. */
function unescape(text: string): string {
  if (!text.includes('&')) return text
  return text.replace(
    entityPattern,
    (entityText, hex: string | undefined, decimal: string | undefined, name: string | undefined) => {
      if (name !== undefined) return namedEntities[name.toLowerCase()] ?? entityText
      const code = hex !== undefined ? Number.parseInt(hex, 16) : Number(decimal)
      const isSurrogate = code >= 0xd800 && code <= 0xdfff
      return code > 0 && code <= 0x10ffff && !isSurrogate ? String.fromCodePoint(code) : entityText
    },
  )
}
