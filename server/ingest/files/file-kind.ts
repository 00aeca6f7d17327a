import type { ImportRequirement, ImportKind } from '#contract/ingest.ts'
import type { Region } from '#contract/regions.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import type { DateEvidence } from '#server/archives/date-orders.ts'
import type { DateOrder } from '#server/archives/read-time.ts'
import type { PlacesFound } from '../survey-file.ts'
import type { FileReason } from './file-reasons.ts'

/** The beginning of a file, enough to know what it is. */
export interface FileHead {
  fileName: string
  /** The whole of a JSON file; undefined for another. */
  json: unknown
  /** The fields of the first line; of a JSON file none. */
  header: readonly string[]
  /** The first line as it is. */
  firstLine: string
}

/** What a sent file was given along, or asked for afterwards. */
export interface FileGiven {
  /** Ms since 1970. */
  snapshotTime?: number
  /** Slug. */
  operator?: string
  /** For dates that can be read in more than one order. */
  dateOrder?: DateOrder
  /** Rows are wanted although most of them lie outside the region. */
  acceptOutside?: boolean
  /** Of trips without coordinates: the stations file that was sent, and where its stations are. */
  stations?: { fileName: string; stations: number; places: PlacesFound }
}

export interface Recognised {
  kind: FileKindName
  layout: string
  /** What the file does not tell and must be said. */
  asks: readonly ImportRequirement[]
  given: FileGiven
  /** Of a table: the columns that are read, and among them those of times and of the place of a row. */
  table?: { columns: readonly string[]; times: readonly string[]; place: { lon: string; lat: string } | null }
  /** Of a file that is read as a whole: what its dates say about their order, by field. */
  dates?: Record<string, DateEvidence>
}

export type FileKindName = Exclude<ImportKind, 'trips'>

/** A row that is not taken, with the columns that are read and no others. Lines count from 1. */
export interface FileAside {
  line: number
  reason: FileReason
  detail: string
  raw: Readonly<Record<string, string>>
}

/** A run of rows: those set aside, and how the others are stored. Its `bytes` are those of the file that were read until its end. */
export interface FileBatch {
  rows: number
  bytes: number
  aside: readonly FileAside[]
  /** Stores the others; answers how many of them were new or changed. Again, it changes nothing. */
  store(): Promise<number>
}

/** All that reading a file needs. */
export interface FileTask {
  filePath: string
  fileName: string
  /** Of the file, as it was sent. */
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

/** A kind of file that holds no trips. */
export interface FileKind {
  kind: FileKindName
  recognise(head: FileHead, given: FileGiven, clock: CivilClock): Recognised | null
  read(task: FileTask): AsyncGenerator<FileBatch>
  /** Takes back what an import brought and nothing else told; answers how many rows went. */
  takeBack(of: Pick<FileTask, 'state' | 'facts' | 'scope' | 'regionId' | 'importId'>): Promise<number>
}
