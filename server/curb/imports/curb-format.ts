import type {
  CurbFinding,
  CurbFindingCode,
  CurbFormatKey,
  CurbMapping,
  CurbOutcome,
  CurbRecordKind,
} from '#contract/curb-imports.ts'
import type { StagedRecord } from '../store/staged.ts'

/** A checked record of a file. It is reported and, unless refused or merged into another, published. */
export interface StagedRow {
  /** Position in the file, from 1. */
  row: number
  kind: CurbRecordKind
  /** Identifies the record in its inventory from one import to the next. */
  recordId: string
  outcome: CurbOutcome
  findings: CurbFinding[]
  /** The raw record. */
  source: unknown
  staged: StagedRecord | null
  /** How certain a derived record is, from 0 to 1. Null for records that are not derived. */
  confidence: number | null
}

/** An unpacked file that can be read several times. */
export interface CurbFile {
  name: string
  bytes(): AsyncIterable<Uint8Array>
}

/** The inputs of staging besides the files. */
export interface StagingContext {
  timeZone: string
  currency: string
  /** Center of the region; records farther away than `reachKm` are outside of it. */
  center: { lon: number; lat: number }
  reachKm: number
  /** Ids of published policies of the region. */
  publishedPolicyIds: ReadonlySet<string>
  /** Confirmed mapping of a table. */
  mapping: CurbMapping | null
  /** Reports something about the file as a whole. */
  noteFile: (code: CurbFindingCode, message: string) => void
}

/** Batches of rows. A broken record is a refused row; CurbFileError ends the import. */
export type StagedRows = AsyncGenerator<StagedRow[]>

/** A format of curb files. */
export interface CurbFormat {
  key: CurbFormatKey
  /** Stages the records of the files. For the format `signs`, the second file contains the signs. */
  stage(files: readonly [CurbFile, ...CurbFile[]], context: StagingContext): StagedRows
}

/** Thrown if a file cannot be read at all. The message is shown to the user. */
export class CurbFileError extends Error {}

/** Collects the findings of one record; the strongest effect decides its outcome. */
export class Findings {
  readonly list: CurbFinding[] = []

  /** Reports something that does not change the record. */
  note(code: CurbFindingCode, message: string, field: string | null = null): void {
    this.#add({ code, message, field, effect: 'note' })
  }

  /** Reports a change of the record, or a part that was set aside. */
  repair(code: CurbFindingCode, message: string, field: string | null = null): void {
    this.#add({ code, message, field, effect: 'repair' })
  }

  /** Reports why the record is excluded. */
  refuse(code: CurbFindingCode, message: string, field: string | null = null): void {
    this.#add({ code, message, field, effect: 'refuse' })
  }

  addAll(findings: readonly CurbFinding[]): void {
    for (const finding of findings) this.#add(finding)
  }

  get isRefused(): boolean {
    return this.list.some(({ effect }) => effect === 'refuse')
  }

  get outcome(): CurbOutcome {
    if (this.isRefused) return 'refused'
    return this.list.some(({ effect }) => effect === 'repair') ? 'repaired' : 'accepted'
  }

  #add(finding: CurbFinding): void {
    // Only the first findings are stored, but always the first refusal, because it decides the outcome.
    const isFull = this.list.length >= maxFindings
    if (!isFull || (finding.effect === 'refuse' && !this.isRefused))
      this.list.push({ ...finding, message: finding.message.slice(0, maxMessageLength) })
  }
}

/** Findings of a record. */
const maxFindings = 30
/** Characters of a stored message and of a record id. */
const maxMessageLength = 500
const maxRecordIdLength = 200

/** Returns the row of a record. `staged` is left out if the findings refuse the record. */
export function toStagedRow(
  record: {
    row: number
    kind: CurbRecordKind
    recordId: string
    source: unknown
    confidence?: number | null
  },
  findings: Findings,
  staged: StagedRecord | null,
): StagedRow {
  const { outcome } = findings
  return {
    row: record.row,
    kind: record.kind,
    recordId: record.recordId.slice(0, maxRecordIdLength),
    outcome,
    findings: findings.list,
    source: limitSource(record.source),
    staged: outcome === 'refused' ? null : staged,
    confidence: record.confidence ?? null,
  }
}

/** Maximum length of the text of a raw record that is stored. */
const maxSourceLength = 100_000

const limitSource = (source: unknown): unknown =>
  typeof source === 'string' ? source.slice(0, maxSourceLength) : (source ?? null)
