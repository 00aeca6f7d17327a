/** Fields of tab-separated rows for the fact store. */
export const numberText = (value: number): string => (Number.isNaN(value) ? 'nan' : String(value))

/** A time of MDS (ms, from 2018 on) as seconds with three decimals, which DateTime64(3) reads. */
export function timeText(ms: number): string {
  const text = String(Math.floor(ms))
  return `${text.slice(0, -3)}.${text.slice(-3)}`
}

/** Text safe in a tab-separated field. */
export const escaped = (text: string): string => (/[\\\t\n\r\0]/.test(text) ? text.replace(/[\\\t\n\r\0]/g, (sign) => ({ '\\': '\\\\', '\t': '\\t', '\n': '\\n', '\r': '\\r', '\0': '\\0' })[sign] ?? sign) : text)

/** Of ids and words: nothing in them needs an escape. */
export const listText = (values: readonly string[]): string => (values.length === 0 ? '[]' : values.length === 1 ? `['${values[0]}']` : `['${values.join("','")}']`)

/** Rows of some records in one piece; packed early, the texts are gone before they grow old. */
export function linesOf<Each>(records: readonly Each[], line: (each: Each) => string): Buffer {
  const parts: Buffer[] = []
  for (let from = 0; from < records.length; from += 2000) {
    let text = ''
    for (let at = from; at < records.length && at < from + 2000; at++) text += line(records[at] as Each)
    parts.push(Buffer.from(text))
  }
  return parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts)
}
