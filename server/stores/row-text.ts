/** A number as a field of tab-separated rows for the fact store. */
export const numberText = (value: number): string => (Number.isNaN(value) ? 'nan' : String(value))

/** A time of MDS (ms, not before 2018) as seconds with three decimals, as DateTime64(3) is parsed. */
export function timeText(ms: number): string {
  const text = String(Math.floor(ms))
  return `${text.slice(0, -3)}.${text.slice(-3)}`
}

const escapes: Record<string, string> = { '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' }

/** Escapes text for a tab-separated field. */
export const escapeField = (text: string): string =>
  /[\\\t\n\r\0]/.test(text) ? text.replace(/[\\\t\n\r\0]/g, (char) => escapes[char] ?? char) : text

/** Reverses `escapeField`. */
export const unescapeField = (field: string): string =>
  field.replace(
    /\\([\\tnr0])/g,
    (_, char: string) => ({ '\\': '\\', t: '\t', n: '\n', r: '\r', 0: '\0' })[char] ?? char,
  )

/** UTF-8 needs at most three bytes per UTF-16 code unit. */
const maxBytesPerUnit = 3

const dateTimeBytes = '2026-05-01 08:05:30.000\t'.length

/** Writes a separator (its character code) and a number below 100. Returns the position behind them. */
function writeTwoDigits(bytes: Buffer, at: number, separator: number, value: number): number {
  bytes[at] = separator
  bytes[at + 1] = 48 + Math.floor(value / 10)
  bytes[at + 2] = 48 + (value % 10)
  return at + 3
}

/**
 * Writes tab-separated rows as bytes. Rows as strings would live until their buffer is filled, and collecting
 * them as garbage takes longer than writing them.
 */
export class RowWriter {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0

  /** Appends a text field. */
  text(value: string): this {
    const needed = value.length * maxBytesPerUnit + 1
    if (this.#length + needed > this.#bytes.length) this.#grow(needed)
    const bytes = this.#bytes
    let at = this.#length
    for (let unit = 0; unit < value.length; unit++) {
      const code = value.charCodeAt(unit)
      if (code < 32 || code > 126 || code === 92) return this.#appendField(escapeField(value))
      bytes[at++] = code
    }
    bytes[at++] = 9
    this.#length = at
    return this
  }

  /** Appends a number of a Float64 or integer column; NaN as ClickHouse reads it. */
  number(value: number): this {
    return this.text(numberText(value))
  }

  /** Appends a time of a day (ms after midnight) as `2026-05-01 08:05:30.000`; `day` is the text of its date. */
  dateTime(day: string, ms: number): this {
    if (this.#length + dateTimeBytes > this.#bytes.length) this.#grow(dateTimeBytes)
    const bytes = this.#bytes
    let at = this.#length
    for (let digit = 0; digit < 10; digit++) bytes[at++] = day.charCodeAt(digit)
    const seconds = Math.floor(ms / 1000)
    const minutes = Math.floor(seconds / 60)
    at = writeTwoDigits(bytes, at, 32, Math.floor(minutes / 60))
    at = writeTwoDigits(bytes, at, 58, minutes % 60)
    at = writeTwoDigits(bytes, at, 58, seconds % 60)
    bytes[at++] = 46
    bytes[at++] = 48 + Math.floor((ms % 1000) / 100)
    bytes[at++] = 48 + (Math.floor((ms % 1000) / 10) % 10)
    bytes[at++] = 48 + (ms % 10)
    bytes[at++] = 9
    this.#length = at
    return this
  }

  /** Appends a NULL. */
  none(): this {
    return this.#appendField('\\N')
  }

  endRow(): void {
    this.#bytes[this.#length - 1] = 10
  }

  /** Returns the rows written so far and clears the writer. */
  take(): Buffer<ArrayBuffer> {
    // Not from the shared pool of small buffers: the result may be transferred to another thread.
    const rows = Buffer.allocUnsafeSlow(this.#length)
    this.#bytes.copy(rows, 0, 0, this.#length)
    this.#length = 0
    return rows
  }

  #appendField(field: string): this {
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

/** An array of texts that need no escapes, such as ids. */
export const listText = (values: readonly string[]): string =>
  values.length === 0 ? '[]' : values.length === 1 ? `['${values[0]}']` : `['${values.join("','")}']`

/**
 * Encodes one line per record. Lines are packed in batches, so that their strings are collected while young.
 */
export function encodeLines<Item>(records: readonly Item[], formatLine: (record: Item) => string): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < records.length; from += 2000) {
    let text = ''
    for (let at = from; at < records.length && at < from + 2000; at++) text += formatLine(records[at] as Item)
    parts.push(Buffer.from(text))
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}
