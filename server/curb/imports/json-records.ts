import { CurbFileError, type CurbFile } from './curb-format.ts'

/** An element of a list in a JSON file, or another member of one of the objects that contain the lists. */
export type JsonPart =
  | { list: string; index: number; value: unknown; text: string }
  | { list: null; member: string; value: unknown }

/** Characters of the largest record. */
const maxRecordLength = 16 * 1024 * 1024

/**
 * Reads a JSON file in parts without holding it in memory: elements of the lists named in `lists` (at the top level or in objects that
 * are named in `containers`), and the other members of these objects. An element that is not valid JSON is yielded with an undefined
 * value, so that a broken record does not stop the file. A file that is one list is read as the list ''.
 *
 * @throws CurbFileError if the file is no JSON object or list, or ends too early.
 */
export async function* jsonRecords(
  file: CurbFile,
  lists: ReadonlySet<string>,
  containers: ReadonlySet<string>,
): AsyncGenerator<JsonPart[]> {
  const reader = new PartReader(lists, containers)
  let decoder: TextDecoder | null = null
  for await (const bytes of file.bytes()) {
    decoder ??= decoderOf(bytes)
    yield reader.read(decoder.decode(bytes, { stream: true }))
  }
  yield reader.read(decoder?.decode() ?? '')
  reader.end()
}

function decoderOf(head: Uint8Array): TextDecoder {
  if (head[0] === 0xff && head[1] === 0xfe) return new TextDecoder('utf-16le')
  if (head[0] === 0xfe && head[1] === 0xff) return new TextDecoder('utf-16be')
  return new TextDecoder('utf-8')
}

const [quote, backslash, openBrace, closeBrace, openBracket, closeBracket, comma, colon] = [
  34, 92, 123, 125, 91, 93, 44, 58,
]
const isBlank = (code: number): boolean => code === 32 || code === 10 || code === 13 || code === 9

/** Nesting deeper than this is not parsed. */
const maxDepth = 200

/** Scans characters, follows the nesting of containers and lists, and cuts out the values in them. */
class PartReader {
  readonly #lists: ReadonlySet<string>
  readonly #containers: ReadonlySet<string>
  /** Open containers ({) and lists ([) around the current position. */
  readonly #open: { isList: boolean; name: string; index: number; holdsContainers: boolean }[] = []
  #buffer = ''
  #at = 0
  /** Where the value that is being cut out starts; -1: between values. */
  #start = -1
  #depth = 0
  #maxDepth = 0
  #inText = false
  #escaped = false
  /** Key of the current member. */
  #key: string | null = null
  #hasBegun = false
  #hasEnded = false

  constructor(lists: ReadonlySet<string>, containers: ReadonlySet<string>) {
    this.#lists = lists
    this.#containers = containers
  }

  read(text: string): JsonPart[] {
    const parts: JsonPart[] = []
    this.#buffer += text
    while (this.#at < this.#buffer.length) {
      if (this.#start >= 0) {
        if (!this.#skipValue(parts)) break
      } else this.#between()
    }
    const from = this.#start >= 0 ? this.#start : this.#at
    if (from > 0) {
      this.#buffer = this.#buffer.slice(from)
      this.#at -= from
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

  /** Handles a character between values. */
  #between(): void {
    const code = this.#buffer.charCodeAt(this.#at)
    if (isBlank(code) || code === comma || code === 0xfeff) return void this.#at++
    const top = this.#open.at(-1)
    if (!top) {
      if (this.#hasEnded) return void (this.#at = this.#buffer.length)
      if (code !== openBrace && code !== openBracket)
        throw new CurbFileError('The file is not JSON: it does not begin with { or [.')
      this.#hasBegun = true
      this.#open.push({ isList: code === openBracket, name: '', index: 0, holdsContainers: false })
      return void this.#at++
    }
    if (code === (top.isList ? closeBracket : closeBrace)) {
      this.#open.pop()
      this.#hasEnded = this.#open.length === 0
      this.#key = null
      return void this.#at++
    }
    // Also marks that belong nowhere: the values around them are read all the same.
    if (code === colon || code === closeBracket || code === closeBrace) return void this.#at++
    if (!top.isList && this.#key !== null) {
      const isContainer = this.#containers.has(this.#key)
      const isList = this.#lists.has(this.#key)
      if ((code === openBrace && isContainer) || (code === openBracket && (isContainer || isList))) {
        this.#open.push({ isList: code === openBracket, name: this.#key, index: 0, holdsContainers: !isList })
        this.#key = null
        return void this.#at++
      }
    }
    // CDS 1.0 also describes `data` as a list of objects with the lists.
    if (top.isList && top.holdsContainers && code === openBrace) {
      this.#open.push({ isList: false, name: '', index: 0, holdsContainers: false })
      return void this.#at++
    }
    this.#start = this.#at
    this.#depth = 0
    this.#maxDepth = 0
  }

  /** Moves to the end of the value; false if it continues in the next text. */
  #skipValue(parts: JsonPart[]): boolean {
    const { length } = this.#buffer
    let at = this.#at
    for (; at < length; at++) {
      const code = this.#buffer.charCodeAt(at)
      if (this.#inText) {
        if (this.#escaped) this.#escaped = false
        else if (code === backslash) this.#escaped = true
        else if (code === quote) {
          this.#inText = false
          if (this.#depth === 0) {
            this.#at = at + 1
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
          this.#at = at
          this.#finish(parts)
          return true
        }
        if (--this.#depth === 0) {
          this.#at = at + 1
          this.#finish(parts)
          return true
        }
      } else if (this.#depth === 0 && (code === comma || code === colon || isBlank(code))) {
        this.#at = at
        this.#finish(parts)
        return true
      }
    }
    this.#at = at
    return false
  }

  #finish(parts: JsonPart[]): void {
    const text = this.#buffer.slice(this.#start, this.#at)
    this.#start = -1
    const value = this.#maxDepth > maxDepth ? undefined : parsed(text)
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

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown
  } catch {
    return undefined
  }
}
