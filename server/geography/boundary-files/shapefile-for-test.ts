import { zipSync } from 'fflate'

type Ring = readonly (readonly [number, number])[]
/** Parts of a record, [] for a null shape. */
type Shape = readonly Ring[]

interface Field {
  name: string
  type: 'C' | 'N' | 'L' | 'D' | 'F'
  length: number
}

/** Writes small shapefiles for tests. */
export const shapefileForTest = {
  /**
   * @param type 1 point, 3 line, 5 polygon, 8 multipoint; plus 10 or 20 for heights and measures, which are
   * omitted.
   */
  shp(type: number, shapes: readonly Shape[]): Uint8Array {
    const records = shapes.map((shape) => encodeRecord(type, shape))
    const file = new DataView(
      new ArrayBuffer(100 + records.reduce((sum, record) => sum + 8 + record.length, 0)),
    )
    file.setInt32(0, 9994)
    file.setInt32(24, file.byteLength / 2)
    file.setInt32(28, 1000, true)
    file.setInt32(32, type, true)
    const positions = shapes.flat(2)
    const box = [
      Math.min(...positions.map(([x]) => x)),
      Math.min(...positions.map(([, y]) => y)),
      Math.max(...positions.map(([x]) => x)),
      Math.max(...positions.map(([, y]) => y)),
    ]
    box.forEach((value, index) => file.setFloat64(36 + 8 * index, value, true))
    let offset = 100
    records.forEach((record, index) => {
      file.setInt32(offset, index + 1)
      file.setInt32(offset + 4, record.length / 2)
      new Uint8Array(file.buffer).set(record, offset + 8)
      offset += 8 + record.length
    })
    return new Uint8Array(file.buffer)
  },

  /** @param rows Cells as they are stored; a deleted row starts with '*'. */
  dbf(
    fields: readonly Field[],
    rows: readonly (readonly string[])[],
    encode: (text: string) => Uint8Array = (text) => new TextEncoder().encode(text),
    driver = 0,
  ): Uint8Array {
    const rowLength = 1 + fields.reduce((sum, field) => sum + field.length, 0)
    const headerLength = 33 + 32 * fields.length
    const file = new Uint8Array(headerLength + rowLength * rows.length).fill(0x20, headerLength)
    const view = new DataView(file.buffer)
    file[0] = 3
    view.setUint32(4, rows.length, true)
    view.setUint16(8, headerLength, true)
    view.setUint16(10, rowLength, true)
    file[29] = driver
    fields.forEach(({ name, type, length }, index) => {
      file.set(encode(name).subarray(0, 11), 32 + 32 * index)
      file[43 + 32 * index] = type.charCodeAt(0)
      file[48 + 32 * index] = length
    })
    file[headerLength - 1] = 0x0d
    rows.forEach((row, index) => {
      let offset = headerLength + rowLength * index
      if (row[0]?.startsWith('*') === true) file[offset] = 0x2a
      offset += 1
      fields.forEach(({ length }, column) => {
        file.set(encode(row[column] ?? '').subarray(0, length), offset)
        offset += length
      })
    })
    return file
  },

  zip: (files: Record<string, Uint8Array | string>): Uint8Array =>
    zipSync(
      Object.fromEntries(
        Object.entries(files).map(([name, content]) => [
          name,
          typeof content === 'string' ? new TextEncoder().encode(content) : content,
        ]),
      ),
    ),
}

function encodeRecord(type: number, shape: Shape): Uint8Array {
  const points = shape.flat()
  if (points.length === 0) return new Uint8Array(4)
  const plainType = type > 10 ? type % 10 : type
  const isPoint = plainType === 1
  const hasParts = plainType === 3 || plainType === 5
  let offset = isPoint ? 4 : 40
  if (hasParts) offset = 44 + 4 * shape.length
  const record = new DataView(new ArrayBuffer(offset + 16 * points.length))
  record.setInt32(0, type, true)
  if (hasParts) {
    record.setInt32(36, shape.length, true)
    record.setInt32(40, points.length, true)
    let start = 0
    shape.forEach((part, index) => {
      record.setInt32(44 + 4 * index, start, true)
      start += part.length
    })
  } else if (!isPoint) record.setInt32(36, points.length, true)
  points.forEach(([x, y], index) => {
    record.setFloat64(offset + 16 * index, x, true)
    record.setFloat64(offset + 16 * index + 8, y, true)
  })
  return new Uint8Array(record.buffer)
}
