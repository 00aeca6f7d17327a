/** Formats a number as a field of tab-separated rows for the fact store. */
export const formatNumberField = (value: number): string => (Number.isNaN(value) ? 'nan' : String(value))

/** Formats a time (ms since 1970, at least 1000) as seconds with three decimals for DateTime64(3). */
export function formatTimeField(ms: number): string {
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

// Character codes.
const [tab, newline, space, period, colon, zero, backslash] = [9, 10, 32, 46, 58, 48, 92] as const
const lastPrintable = 126

/** Writes a separator (its character code) and a number below 100. Returns the offset after them. */
function writeTwoDigits(bytes: Buffer, offset: number, separator: number, value: number): number {
  bytes[offset] = separator
  bytes[offset + 1] = zero + Math.floor(value / 10)
  bytes[offset + 2] = zero + (value % 10)
  return offset + 3
}

/** Encodes tab-separated rows as bytes: collecting strings would take longer than writing the bytes. */
export class RowWriter {
  #bytes = Buffer.allocUnsafe(1 << 16)
  #length = 0

  /** Appends a text field. */
  text(value: string): this {
    const needed = value.length * maxBytesPerUnit + 1
    if (this.#length + needed > this.#bytes.length) this.#grow(needed)
    const bytes = this.#bytes
    let offset = this.#length
    // Printable ASCII needs neither escapes nor multi-byte encoding.
    for (let unit = 0; unit < value.length; unit++) {
      const code = value.charCodeAt(unit)
      if (code < space || code > lastPrintable || code === backslash)
        return this.#appendField(escapeField(value))
      bytes[offset++] = code
    }
    bytes[offset++] = tab
    this.#length = offset
    return this
  }

  /** Appends a number of a Float64 or integer column; NaN as ClickHouse reads it. */
  number(value: number): this {
    return this.text(formatNumberField(value))
  }

  /** Appends a time, given as a day (`2026-05-01`) and ms after midnight, as `2026-05-01 08:05:30.000`. */
  dateTime(day: string, ms: number): this {
    if (this.#length + dateTimeBytes > this.#bytes.length) this.#grow(dateTimeBytes)
    const bytes = this.#bytes
    let offset = this.#length
    for (let digit = 0; digit < 10; digit++) bytes[offset++] = day.charCodeAt(digit)
    const seconds = Math.floor(ms / 1000)
    const minutes = Math.floor(seconds / 60)
    offset = writeTwoDigits(bytes, offset, space, Math.floor(minutes / 60))
    offset = writeTwoDigits(bytes, offset, colon, minutes % 60)
    offset = writeTwoDigits(bytes, offset, colon, seconds % 60)
    bytes[offset++] = period
    bytes[offset++] = zero + Math.floor((ms % 1000) / 100)
    bytes[offset++] = zero + (Math.floor((ms % 1000) / 10) % 10)
    bytes[offset++] = zero + (ms % 10)
    bytes[offset++] = tab
    this.#length = offset
    return this
  }

  /** Appends NULL. */
  none(): this {
    return this.#appendField('\\N')
  }

  endRow(): void {
    // Replaces the tab after the last field.
    this.#bytes[this.#length - 1] = newline
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
    this.#bytes[this.#length++] = tab
    return this
  }

  #grow(needed: number): void {
    const larger = Buffer.allocUnsafe(Math.max(this.#bytes.length * 2, this.#length + needed))
    this.#bytes.copy(larger, 0, 0, this.#length)
    this.#bytes = larger
  }
}

/** Formats an array of texts that need no escapes, such as ids, as a field. */
export const formatListField = (values: readonly string[]): string =>
  values.length === 0 ? '[]' : `['${values.join("','")}']`

const recordsPerBatch = 2000

/** Encodes one line per record, in batches, so that the strings of lines are short-lived garbage. */
export function encodeLines<Item>(records: readonly Item[], formatLine: (record: Item) => string): Buffer {
  const parts: Buffer[] = []
  for (let start = 0; start < records.length; start += recordsPerBatch) {
    let text = ''
    for (const record of records.slice(start, start + recordsPerBatch)) text += formatLine(record)
    parts.push(Buffer.from(text))
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}
