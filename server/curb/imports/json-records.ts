import { CurbFileError, type CurbFile } from './curb-format.ts'

/** An element of a requested list, or another member of one of the objects that contain the lists. */
export type JsonPart =
  | { list: string; index: number; value: unknown; text: string }
  | { list: null; member: string; value: unknown }

/** Maximum length of a record in characters. */
const maxRecordLength = 16 * 1024 * 1024

/**
 * Streams a JSON file in parts: the elements of the lists named in `lists`, which are at the top level or in
 * members named in `containers`, and the other members of the objects around them. An element that is not
 * valid JSON is yielded with an undefined value, so that a broken record does not end the import. If the file
 * itself is a list, the name of the list is ''.
 *
 * @throws CurbFileError if the file is not a JSON object or list, or ends too early.
 */
export async function* readJsonRecords(
  file: CurbFile,
  lists: ReadonlySet<string>,
  containers: ReadonlySet<string>,
): AsyncGenerator<JsonPart[]> {
  const reader = new PartReader(lists, containers)
  let decoder: TextDecoder | null = null
  for await (const bytes of file.bytes()) {
    decoder ??= createDecoder(bytes)
    yield reader.read(decoder.decode(bytes, { stream: true }))
  }
  yield reader.read(decoder?.decode() ?? '')
  reader.end()
}

/** Creates a decoder for the encoding that the byte order mark of a file names; UTF-8 without one. */
function createDecoder([byte0, byte1]: Uint8Array): TextDecoder {
  if (byte0 === 0xff && byte1 === 0xfe) return new TextDecoder('utf-16le')
  if (byte0 === 0xfe && byte1 === 0xff) return new TextDecoder('utf-16be')
  return new TextDecoder('utf-8')
}

// Character codes.
const quote = 34
const backslash = 92
const openBrace = 123
const closeBrace = 125
const openBracket = 91
const closeBracket = 93
const comma = 44
const colon = 58
/** Whether a character is a space, line feed, carriage return or tab. */
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Values with deeper nesting are not parsed, because JSON.parse would exhaust the stack. */
const maxDepth = 200

/** Scans characters, follows the nesting of containers and lists, and extracts the values in them. */
class PartReader {
  readonly #lists: ReadonlySet<string>
  readonly #containers: ReadonlySet<string>
  /** The open containers ({) and lists ([) around the current position, from the outside in. */
  readonly #open: { isList: boolean; name: string; index: number; containsContainers: boolean }[] = []
  #buffer = ''
  #position = 0
  /** Where the current value starts in the buffer; -1 between values. */
  #start = -1
  /** Nesting within the current value. */
  #depth = 0
  #maxDepth = 0
  #inText = false
  #escaped = false
  /** Key of the current member of a container. */
  #key: string | null = null
  #hasBegun = false
  #hasEnded = false

  constructor(lists: ReadonlySet<string>, containers: ReadonlySet<string>) {
    this.#lists = lists
    this.#containers = containers
  }

  /** Reads the next text of the file. Returns the parts that it completes. */
  read(text: string): JsonPart[] {
    const parts: JsonPart[] = []
    this.#buffer += text
    while (this.#position < this.#buffer.length) {
      if (this.#start >= 0) {
        if (!this.#skipValue(parts)) break
      } else this.#readBetweenValues()
    }
    const from = this.#start >= 0 ? this.#start : this.#position
    if (from > 0) {
      this.#buffer = this.#buffer.slice(from)
      this.#position -= from
      if (this.#start >= 0) this.#start = 0
    }
    if (this.#buffer.length > maxRecordLength)
      throw new CurbFileError(
        'A record of the file is longer than 16 million characters. Is it a file of curb data?',
      )
    return parts
  }

  end(): void {
    if (!this.#hasBegun) throw new CurbFileError('The file is not JSON: it does not begin with { or [.')
    if (!this.#hasEnded)
      throw new CurbFileError('The JSON of the file ends too early. Was it cut off? Send it again.')
  }

  /** Handles the character at the current position, which is between values. */
  #readBetweenValues(): void {
    const code = this.#buffer.charCodeAt(this.#position)
    if (isBlank(code) || code === comma || code === 0xfeff) return void this.#position++
    const top = this.#open.at(-1)
    if (!top) {
      if (this.#hasEnded) return void (this.#position = this.#buffer.length)
      if (code !== openBrace && code !== openBracket)
        throw new CurbFileError('The file is not JSON: it does not begin with { or [.')
      this.#hasBegun = true
      this.#open.push({ isList: code === openBracket, name: '', index: 0, containsContainers: false })
      return void this.#position++
    }
    if (code === (top.isList ? closeBracket : closeBrace)) {
      this.#open.pop()
      this.#hasEnded = this.#open.length === 0
      this.#key = null
      return void this.#position++
    }
    // Also skips misplaced brackets, so that the values around them are still read.
    if (code === colon || code === closeBracket || code === closeBrace) return void this.#position++
    if (!top.isList && this.#key !== null) {
      const isContainer = this.#containers.has(this.#key)
      const isList = this.#lists.has(this.#key)
      if ((code === openBrace && isContainer) || (code === openBracket && (isContainer || isList))) {
        this.#open.push({
          isList: code === openBracket,
          name: this.#key,
          index: 0,
          containsContainers: !isList,
        })
        this.#key = null
        return void this.#position++
      }
    }
    // In CDS 1.0, `data` may also be a list of objects with the lists.
    if (top.isList && top.containsContainers && code === openBrace) {
      this.#open.push({ isList: false, name: '', index: 0, containsContainers: false })
      return void this.#position++
    }
    this.#start = this.#position
    this.#depth = 0
    this.#maxDepth = 0
  }

  /** Moves to the end of the current value. False if the value continues in the next text. */
  #skipValue(parts: JsonPart[]): boolean {
    const { length } = this.#buffer
    let position = this.#position
    for (; position < length; position++) {
      const code = this.#buffer.charCodeAt(position)
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false
        else if (code === backslash) this.#escaped = true
        else if (code === quote) {
          this.#inText = false
          if (this.#depth === 0) {
            this.#position = position + 1
            this.#finish(parts)
            return true
          }
        }
        continue
      }
      if (code === quote) this.#inText = true
      else if (code === openBrace || code === openBracket)
        this.#maxDepth = Math.max(this.#maxDepth, ++this.#depth)
      else if (code === closeBrace || code === closeBracket) {
        if (this.#depth === 0) {
          this.#position = position
          this.#finish(parts)
          return true
        }
        if (--this.#depth === 0) {
          this.#position = position + 1
          this.#finish(parts)
          return true
        }
      } else if (this.#depth === 0 && (code === comma || code === colon || isBlank(code))) {
        this.#position = position
        this.#finish(parts)
        return true
      }
    }
    this.#position = position
    return false
  }

  /** Adds the current value to the parts, or uses it as the key of the next one. */
  #finish(parts: JsonPart[]): void {
    const text = this.#buffer.slice(this.#start, this.#position)
    this.#start = -1
    const value = this.#maxDepth > maxDepth ? undefined : tryParse(text)
    const top = this.#open.at(-1)
    if (!top) return
    if (top.isList) parts.push({ list: top.name, index: top.index++, value, text })
    else if (this.#key === null) this.#key = typeof value === 'string' ? value : text
    else {
      parts.push({ list: null, member: this.#key, value })
      this.#key = null
    }
  }
}

/** Returns the value of a JSON text; undefined if it is not valid. */
function tryParse(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
