import type { ImportRequirement, ImportKind } from '#contract/imports.ts'
import type { Region } from '#contract/regions.ts'
import type { Facts } from '#server/stores/facts.ts'
import type { Scope } from '#server/stores/scope.ts'
import type { State } from '#server/stores/state.ts'
import type { CivilClock } from '#contract/civil-clock.ts'
import type { DateEvidence } from '#server/table-files/date-orders.ts'
import type { DateOrder } from '#server/table-files/read-time.ts'
import type { PlaceCounts } from '../survey-file.ts'
import type { FileReason } from '#server/table-files/row-reasons.ts'

/** What a file is recognized by. */
export interface FileHead {
  fileName: string
  /** The value of a JSON file; undefined for other files. */
  json: unknown
  /** The fields of the first line; empty for JSON. */
  header: readonly string[]
  firstLine: string
}

/** A user's answers about a file, sent with the file or later. Stored as `import.given`. */
export interface FileAnswers {
  /** Milliseconds since 1970. */
  snapshotTime?: number
  /** The operator's slug. */
  operator?: string
  /** The order of dates that are ambiguous. */
  dateOrder?: DateOrder
  /** Rows are stored even if most of them are outside of the region. */
  acceptOutside?: boolean
  /** The stations file that was sent for trips without coordinates, its number of stations and where they are. */
  stations?: { fileName: string; stations: number; places: PlaceCounts }
}

/** What is known about a file after it was recognized. */
export interface RecognizedFile {
  kind: FileKindName
  layout: string
  /** Answers that the user must still give, because the file does not contain them. */
  missingAnswers: readonly ImportRequirement[]
  /** Answers that the file contains or the user gave. */
  answers: FileAnswers
  /** For tables: the columns that are read, and which of them contain times and coordinates. */
  table?: {
    columns: readonly string[]
    timeColumns: readonly string[]
    placeColumns: { lon: string; lat: string } | null
  }
  /** For JSON files: evidence for whether dates are day-first, month-first or year-first, by field. */
  dates?: Record<string, DateEvidence>
}

export type FileKindName = Exclude<ImportKind, 'trips'>

/** A rejected row with the fields of the columns that are read. Lines are numbered from 1. */
export interface RejectedFileRow {
  line: number
  reason: FileReason
  detail: string
  raw: Readonly<Record<string, string>>
}

/** A batch of rows, which the import stores and acknowledges before it reads the next. */
export interface FileBatch {
  rows: number
  /** The number of bytes of the file that were read up to the end of the batch. */
  bytes: number
  rejected: readonly RejectedFileRow[]
  /** Stores the rows that are not rejected. Idempotent. Returns how many of them were new or changed. */
  store(): Promise<number>
}

/** An import's file with all that its reader needs. */
export interface FileTask {
  filePath: string
  /** The name of the file as it was sent. */
  fileName: string
  sizeBytes: number
  regionId: string
  importId: string
  answers: FileAnswers
  region: Region
  clock: CivilClock
  /** Returns whether dates of a column are day-first, month-first or year-first. */
  getDateOrder: (column: string) => DateOrder
  sentMs: number
  state: State
  facts: Facts
  scope: Scope
}

/** A kind of file without trips. */
export interface FileKind {
  kind: FileKindName
  /** Returns null if the file is of another kind. */
  recognize(head: FileHead, answers: FileAnswers, clock: CivilClock): RecognizedFile | null
  read(task: FileTask): AsyncGenerator<FileBatch>
  /** Removes the rows of an import that no other source reported; returns their number. */
  remove(task: Pick<FileTask, 'state' | 'facts' | 'scope' | 'regionId' | 'importId'>): Promise<number>
}
