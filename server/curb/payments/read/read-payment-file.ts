import type { PaymentFindingCode } from '#contract/curb-payment-imports.ts'
import type { PaymentKind } from '#contract/curb-payments.ts'
import { civilClock } from '#contract/civil-clock.ts'
import { readCsvRecords } from '#server/table-files/csv-records.ts'
import { readLines } from '#server/table-files/text-lines.ts'
import { escapeField } from '#server/stores/row-text.ts'
import { type CurbFile, CurbFileError } from '../../imports/curb-format.ts'
import { readHeader } from '../../imports/table/table-records.ts'
import type { PaymentPlace } from '../payment.ts'
import { type PaymentBatch, toStagingLine } from '../payment-rows.ts'
import { PaymentReader, type PaymentReading } from './read-payment.ts'

/** The input of the thread that reads a payment file. */
export interface ReadPaymentsTask extends Omit<PaymentReading, 'header'> {
  filePath: string
  fileName: string
  regionId: string
  importId: string
}

/** A number of rows and the sum of their amounts. */
export interface Sum {
  rows: number
  /** Minor units. */
  amount: number
}

/** Sums of the rows of a file. Duplicates are not known yet. */
export interface ReadCounts {
  file: Sum
  kinds: Partial<Record<PaymentKind, Sum>>
  setAside: Sum
  codes: Partial<Record<PaymentFindingCode, number>>
}

export const makeEmptyReadCounts = (): ReadCounts => ({
  file: { rows: 0, amount: 0 },
  kinds: {},
  setAside: { rows: 0, amount: 0 },
  codes: {},
})

/** Tab-separated rows of `curb_payments_staging` and `curb_payment_rows`, with the sums of the file so far. */
export interface PaymentChunk {
  rows: Uint8Array<ArrayBuffer>
  report: Uint8Array<ArrayBuffer>
  counts: ReadCounts
  /** Locations that occur in this chunk for the first time. */
  places: PaymentPlace[]
}

/** Rows of a chunk. */
const rowsPerChunk = 20_000
/** Locations of a file that are listed. Payments at further ones are stored too. */
const maxPlaces = 50_000

const addAmount = (sum: Sum, amount: number | null): void => {
  sum.rows++
  sum.amount += amount ?? 0
}

async function* toBuffers(file: CurbFile): AsyncGenerator<Buffer> {
  for await (const bytes of file.bytes()) yield Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

/** Reads a payment file in chunks; `send` resolves when ready for the next. @throws TableFileError. */
export async function readPaymentFile(
  file: CurbFile,
  task: ReadPaymentsTask,
  send: (chunk: PaymentChunk) => Promise<void>,
): Promise<void> {
  const builder = new ChunkBuilder(task)
  let reader: PaymentReader | null = null
  for await (const records of readCsvRecords(readLines(toBuffers(file)))) {
    for (const { fields } of records) {
      if (!reader) {
        if (/^\s*[[{]/.test(fields?.[0] ?? ''))
          throw new CurbFileError('The file is JSON. Save the payments as CSV, and send that.')
        reader = new PaymentReader({ ...task, header: readHeader(fields) })
        continue
      }
      if (fields?.every((field) => field.trim() === '')) continue
      builder.add(reader, fields)
      if (builder.rowsInChunk >= rowsPerChunk) await send(builder.takeChunk())
    }
  }
  await send(builder.takeChunk())
}

/** Text is encoded when it is this long. */
const charactersPerBuffer = 256 * 1024

/** Collects the rows of a file to chunks. */
class ChunkBuilder {
  readonly #task: ReadPaymentsTask
  readonly #batch: PaymentBatch
  readonly #region: string
  /** Counts since the start of the file. */
  readonly #counts = makeEmptyReadCounts()
  readonly #knownPlaces = new Map<string, PaymentPlace>()
  #row = 0
  // The current chunk.
  rowsInChunk = 0
  #buffers: Buffer[] = []
  #lines = ''
  #report: string[] = []
  #places: PaymentPlace[] = []

  constructor(task: ReadPaymentsTask) {
    this.#task = task
    this.#region = escapeField(task.regionId)
    this.#batch = {
      regionId: task.regionId,
      vendor: task.vendor,
      source: 'file',
      importId: task.importId,
      isCumulative: task.mapping.extensions === 'cumulative',
      clock: civilClock(task.timezone),
    }
  }

  /** Reads a row. `fields` is null if the row could not be parsed. */
  add(reader: PaymentReader, fields: readonly string[] | null): void {
    this.#row++
    this.rowsInChunk++
    const { payment, amount, place, findings } = reader.read(fields)
    const counts = this.#counts
    addAmount(counts.file, amount)
    if (payment) {
      addAmount((counts.kinds[payment.kind] ??= { rows: 0, amount: 0 }), amount)
      this.#addLine(toStagingLine(payment, this.#row, this.#batch))
    } else addAmount(counts.setAside, amount)
    if (place && payment) this.#addPlace(place)
    for (const code of new Set(findings.map((finding) => finding.code)))
      counts.codes[code] = (counts.codes[code] ?? 0) + 1
    for (const { code, effect, message } of findings) {
      const source = code === 'not_a_record' || !fields ? '' : reader.formatSource(fields)
      // In the order of `reportColumns`.
      const key = [this.#region, this.#task.importId, this.#row]
      const texts = [escapeField(message), amount ?? '\\N', escapeField(source)]
      this.#report.push(`${[...key, code, effect, ...texts].join('\t')}\n`)
    }
  }

  /** Returns the rows since the last chunk. */
  takeChunk(): PaymentChunk {
    const chunk: PaymentChunk = {
      rows: joinBuffers([...this.#buffers, Buffer.from(this.#lines)]),
      report: joinBuffers([Buffer.from(this.#report.join(''))]),
      counts: structuredClone(this.#counts),
      places: this.#places,
    }
    this.rowsInChunk = 0
    this.#buffers = []
    this.#lines = ''
    this.#report = []
    this.#places = []
    return chunk
  }

  #addLine(line: string): void {
    this.#lines += line
    if (this.#lines.length <= charactersPerBuffer) return
    this.#buffers.push(Buffer.from(this.#lines))
    this.#lines = ''
  }

  /** Adds a location that is new, or had no known coordinates. */
  #addPlace(place: PaymentPlace): void {
    const knownPlace = this.#knownPlaces.get(place.locationId)
    if (knownPlace && (knownPlace.lat !== null || place.lat === null)) return
    if (!knownPlace && this.#knownPlaces.size >= maxPlaces) return
    this.#knownPlaces.set(place.locationId, place)
    this.#places.push(place)
  }
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
