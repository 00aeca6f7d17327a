import type { PaymentFindingCode } from '#contract/curb-payment-imports.ts'
import type { PaymentKind } from '#contract/curb-payments.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { csvRecords } from '#server/table-files/csv-records.ts'
import { readLines } from '#server/table-files/text-lines.ts'
import { escapeField } from '#server/stores/row-text.ts'
import { type CurbFile, CurbFileError } from '../../imports/curb-format.ts'
import { readHeader } from '../../imports/table/table-records.ts'
import type { PaymentPlace } from '../payment.ts'
import { type PaymentBatch, stagingLine } from '../payment-rows.ts'
import { PaymentReader, type PaymentReading } from './read-payment.ts'

/** The input of the thread that reads a payment file. */
export interface ReadPaymentsTask extends Omit<PaymentReading, 'header'> {
  filePath: string
  fileName: string
  regionId: string
  importId: string
}

export interface Sum {
  rows: number
  amount: number
}

/** Sums of the rows of a file. Duplicates are not known yet. */
export interface ReadCounts {
  file: Sum
  kinds: Partial<Record<PaymentKind, Sum>>
  setAside: Sum
  codes: Partial<Record<PaymentFindingCode, number>>
}

export const noReadCounts = (): ReadCounts => ({
  file: { rows: 0, amount: 0 },
  kinds: {},
  setAside: { rows: 0, amount: 0 },
  codes: {},
})

/**
 * Rows of `curb_payments_staging` and of `curb_payment_rows`, tab-separated, with the sums of the file so
 * far.
 */
export interface PaymentChunk {
  rows: Uint8Array<ArrayBuffer>
  report: Uint8Array<ArrayBuffer>
  counts: ReadCounts
  /** Locations that occur in this chunk for the first time. */
  places: PaymentPlace[]
  hasIds: boolean
}

const rowsPerChunk = 20_000
/**
 * Maximum number of locations of a file. Payments at further ones are stored, but their locations are not
 * listed.
 */
const maxPlaces = 50_000

const addAmount = (sum: Sum, amount: number | null): void => {
  sum.rows++
  sum.amount += amount ?? 0
}

async function* toBuffers(file: CurbFile): AsyncGenerator<Buffer> {
  for await (const bytes of file.bytes()) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/**
 * Reads a payment file in chunks. `send` resolves when the receiver is ready for the next chunk.
 * @throws TableFileError if the file is no table.
 */
export async function readPaymentFile(
  file: CurbFile,
  task: ReadPaymentsTask,
  send: (chunk: PaymentChunk) => Promise<void>,
): Promise<void> {
  const batch: PaymentBatch = {
    regionId: task.regionId,
    vendor: task.vendor,
    source: 'file',
    importId: task.importId,
    isCumulative: task.mapping.extensions === 'cumulative',
    clock: civilClock(task.timezone),
  }
  const region = escapeField(task.regionId)
  const counts = noReadCounts()
  const known = new Map<string, PaymentPlace>()
  let places: PaymentPlace[] = []
  let reader: PaymentReader | null = null
  let [row, rowsInChunk] = [0, 0]
  let hasIds = true
  let rows: Buffer[] = []
  let report: string[] = []
  const flush = async (): Promise<void> => {
    await send({
      rows: joinBuffers(rows),
      report: joinBuffers([Buffer.from(report.join(''))]),
      counts: structuredClone(counts),
      places,
      hasIds,
    })
    ;[rows, report, places, rowsInChunk] = [[], [], [], 0]
  }
  for await (const records of csvRecords(readLines(toBuffers(file)))) {
    let lines = ''
    for (const { fields } of records) {
      if (!reader) {
        if (/^\s*[[{]/.test(fields?.[0] ?? ''))
          throw new CurbFileError('The file is JSON. Save the payments as CSV, and send that.')
        reader = new PaymentReader({ ...task, header: readHeader(fields) })
        continue
      }
      if (fields?.every((each) => each.trim() === '')) continue
      row++
      rowsInChunk++
      const { payment, amount, place, findings } = reader.read(fields)
      addAmount(counts.file, amount)
      if (payment) {
        addAmount((counts.kinds[payment.kind] ??= { rows: 0, amount: 0 }), amount)
        if (!payment.hasId) hasIds = false
        lines += stagingLine(payment, row, batch)
      } else addAmount(counts.setAside, amount)
      if (place && payment) addPlace(known, places, place)
      for (const code of new Set(findings.map((each) => each.code)))
        counts.codes[code] = (counts.codes[code] ?? 0) + 1
      for (const { code, effect, message } of findings)
        report.push(
          `${region}\t${task.importId}\t${row}\t${code}\t${effect}\t${escapeField(message)}\t${amount ?? '\\N'}\t${escapeField(code === 'not_a_record' || !fields ? '' : reader.sourceText(fields))}\n`,
        )
      if (lines.length > 1 << 18) {
        rows.push(Buffer.from(lines))
        lines = ''
      }
      if (rowsInChunk >= rowsPerChunk) {
        rows.push(Buffer.from(lines))
        lines = ''
        await flush()
      }
    }
    if (lines !== '') rows.push(Buffer.from(lines))
  }
  await flush()
}

/** Adds a location that is new, or had no known coordinates. */
function addPlace(known: Map<string, PaymentPlace>, places: PaymentPlace[], place: PaymentPlace): void {
  const existing = known.get(place.locationId)
  if (existing && (existing.lat !== null || place.lat === null)) return
  if (!existing && known.size >= maxPlaces) return
  known.set(place.locationId, place)
  places.push(place)
}

/** Copies buffers to a new array that can be transferred to another thread. */
function joinBuffers(parts: readonly Buffer[]): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let offset = 0
  for (const part of parts) {
    bytes.set(part, offset)
    offset += part.length
  }
  return bytes
}
