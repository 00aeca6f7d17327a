/** Fields of tab-separated rows for the fact store. */
export const numberText = (value: number): string => (Number.isNaN(value) ? 'nan' : String(value))

/** A time of MDS (ms, from 2018 on) as seconds with three decimals, which DateTime64(3) reads. */
export function timeText(ms: number): string {
  const text = String(Math.floor(ms))
  return `${text.slice(0, -3)}.${text.slice(-3)}`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

/** Text safe in a tab-separated field. */
export const escapeField = (text: string): string =>
  /[\\\t\n\r\0]/.test(text) ? text.replace(/[\\\t\n\r\0]/g, (sign) => escapes[sign] ?? sign) : text

/** The text of a field as it was before `escaped`. */
export const unescapeField = (field: string): string =>
  field.replace(
    /\\([\\tnr0])/g,
    (_, sign: string) => ({ '\\': '\\', t: '\t', n: '\n', r: '\r', 0: '\0' })[sign] ?? sign,
  )

/** A JavaScript string takes at most three bytes of UTF-8 for each of its units. */
const maxBytesPerUnit = 3

/**
 * Writes tab-separated rows as bytes. Rows as strings live until their buffer is made, and collecting them then takes longer than
 * writing them.
 */
export class RowWriter {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0

  /** A field of any text. */
  text(value: string): this {
    const needed = value.length * maxBytesPerUnit + 1
    if (this.#length + needed > this.#bytes.length) this.#grow(needed)
    const bytes = this.#bytes
    let at = this.#length
    for (let unit = 0; unit < value.length; unit++) {
      const code = value.charCodeAt(unit)
      if (code < 32 || code > 126 || code === 92) return this.#other(escapeField(value))
      bytes[at++] = code
    }
    bytes[at++] = 9
    this.#length = at
    return this
  }

  /** A number of a Float64 or integer column; NaN is written as ClickHouse reads it. */
  number(value: number): this {
    return this.text(numberText(value))
  }

  /** A NULL. */
  none(): this {
    return this.#other('\\N')
  }

  endRow(): void {
    this.#bytes[this.#length - 1] = 10
  }

  /** The rows so far; the writer starts again. */
  take(): Buffer<ArrayBuffer> {
    // Not out of the pool that small buffers share: this one may be transferred to another thread.
    const rows = Buffer.allocUnsafeSlow(this.#length)
    this.#bytes.copy(rows, 0, 0, this.#length)
    this.#length = 0
    return rows
  }

  #other(field: string): this {
    const needed = field.length * maxBytesPerUnit + 1
    if (this.#length + needed > this.#bytes.length) this.#grow(needed)
    this.#length += this.#bytes.write(field, this.#length)
    this.#bytes[this.#length++] = 9
    return this
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + needed))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** Of ids and words: nothing in them needs an escape. */
export const listText = (values: readonly string[]): string =>
  values.length === 0 ? '[]' : values.length === 1 ? `['${values[0]}']` : `['${values.join("','")}']`

/** Rows of some records in one piece; packed early, the texts are gone before they grow old. */
export function encodeLines<Each>(records: readonly Each[], line: (each: Each) => string): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < records.length; from += 2000) {
    let text = ''
    for (let at = from; at < records.length && at < from + 2000; at++) text += line(records[at] as Each)
    parts.push(Buffer.from(text))
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}
