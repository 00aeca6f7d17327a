import type { WireReader } from './wire-reader.ts'

export type Tags = ReadonlyMap<string, string>

/** The strings of a block, decoded on first use. */
export class Strings {
  readonly #bytes: Uint8Array[] = []
  readonly #texts: (string | undefined)[] = []
  constructor(table: WireReader) {
    for (let field = table.field(); field !== 0; field = table.field()) {
      if (field === 1) this.#bytes.push(table.slice())
      else table.skip()
    }
  }

  /** Returns the string at an index of the table; empty if missing. */
  at(index: number): string {
    const decoded = this.#texts[index]
    if (decoded !== undefined) return decoded
    const bytes = this.#bytes[index]
    const text = bytes ? Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).toString('utf8') : ''
    if (bytes) this.#texts[index] = text
    return text
  }

  tags(keys: readonly number[], values: readonly number[]): Tags {
    return new Map(keys.map((key, index) => [this.at(key), this.at(values[index] ?? -1)]))
  }
}
