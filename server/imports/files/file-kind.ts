import type { ImportRequirement, ImportKind } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import type { DateEvidence } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { PlacesFound } from '../survey-file.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'

/** The beginning of a file, enough to recognize it. */
export interface FileHead {
  fileName: string
  /** The whole JSON file; undefined for others. */
  json: unknown
  /** The fields of the first line; empty for JSON. */
  header: readonly string[]
  /** The first line as it is. */
  firstLine: string
}

/** Answers that were given with a file, or later on request. */
export interface FileGiven {
  /** Ms since 1970. */
  snapshotTime?: number
  /** Slug. */
  operator?: string
  /** For dates that can be read in more than one order. */
  dateOrder?: DateOrder
  /** Rows are stored although most of them are outside of the region. */
  acceptOutside?: boolean
  /** For trips without coordinates: the stations file that was sent, and where its stations are. */
  stations?: { fileName: string; stations: number; places: PlacesFound }
}

export interface Recognized {
  kind: FileKindName
  layout: string
  /** What the file does not contain and must be answered. */
  asks: readonly ImportRequirement[]
  given: FileGiven
  /** For tables: the columns that are read, and those of times and of places among them. */
  table?: { columns: readonly string[]; times: readonly string[]; place: { lon: string; lat: string } | null }
  /** For files that are read as a whole: evidence for the order of dates, by field. */
  dates?: Record<string, DateEvidence>
}

export type FileKindName = Exclude<ImportKind, 'trips'>

/** A rejected row, with the columns that are read and no others. Lines count from 1. */
export interface FileAside {
  line: number
  reason: FileReason
  detail: string
  raw: Readonly<Record<string, string>>
}

/** A batch of rows: the rejected ones, and how to store the others. `bytes` of the file were read by its end. */
export interface FileBatch {
  rows: number
  bytes: number
  aside: readonly FileAside[]
  /** Stores the others; returns how many were new or changed. Repeating it changes nothing. */
  store(): Promise<number>
}

/** The input for reading a file. */
export interface FileTask {
  filePath: string
  fileName: string
  /** The name of the file as it was sent. */
  bytes: number
  regionId: string
  importId: string
  given: FileGiven
  region: Region
  clock: CivilClock
  /** The order of dates in a column. */
  orderOf: (column: string) => DateOrder
  /** When the file was sent, ms. */
  sent: number
  state: State
  facts: Facts
  scope: Scope
}

/** A kind of file without trips. */
export interface FileKind {
  kind: FileKindName
  recognize(head: FileHead, given: FileGiven, clock: CivilClock): Recognized | null
  read(task: FileTask): AsyncGenerator<FileBatch>
  /** Removes the rows of an import that no other source reported; returns their number. */
  remove(of: Pick<FileTask, 'state' | 'facts' | 'scope' | 'regionId' | 'importId'>): Promise<number>
}
