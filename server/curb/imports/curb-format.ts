import type {
  CurbFinding,
  CurbFindingCode,
  CurbFormatKey,
  CurbMapping,
  CurbOutcome,
  CurbRecordKind,
} from '#contract/curb-imports.ts'
import type { StagedRecord } from '../store/staged.ts'

/** A record of a file as it will be reported and, unless refused or merged into another, published. */
export interface StagedRow {
  /** Position in the file, from 1. */
  row: number
  kind: CurbRecordKind
  /** Identifies the record in its inventory from one import to the next. */
  recordId: string
  outcome: CurbOutcome
  findings: CurbFinding[]
  source: unknown
  staged: StagedRecord | null
  /** 0 to 1; null where the source is a regulation and not a derivation. */
  confidence: number | null
}

/** A file that can be read more than once, unpacked. */
export interface CurbFile {
  name: string
  bytes(): AsyncIterable<Uint8Array>
}

/** What staging knows besides the files. */
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

/** A family member: reads the files of one format. */
export interface CurbFormat {
  key: CurbFormatKey
  /** The second file is that of the signs for `signs`. */
  stage(files: readonly [CurbFile, ...CurbFile[]], context: StagingContext): StagedRows
}

/** The file as a whole cannot be read. The message is shown to the user. */
export class CurbFileError extends Error {}

/** Collects the findings of one record; the strongest effect decides its outcome. */
export class Findings {
  readonly list: CurbFinding[] = []

  /** Reports something that changes nothing. */
  note(code: CurbFindingCode, message: string, field: string | null = null): void {
    this.#add({ code, message, field, effect: 'note' })
  }

  /** Reports a change of the record, or a part that is set aside. */
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
    // A record with thousands of faults is reported by its first ones; its outcome counts all.
    const isFull = this.list.length >= maxFindings
    if (!isFull || (finding.effect === 'refuse' && !this.isRefused))
      this.list.push({ ...finding, message: finding.message.slice(0, 500) })
  }
}

const maxFindings = 30

/** The row of a record; `staged` is dropped if the findings refuse it. */
export function stagedRow(
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
    recordId: record.recordId.slice(0, 200),
    outcome,
    findings: findings.list,
    source: boundedSource(record.source),
    staged: outcome === 'refused' ? null : staged,
    confidence: record.confidence ?? null,
  }
}

/** Characters of a raw record that are stored. */
const maxSourceLength = 100_000

function boundedSource(source: unknown): unknown {
  const text = typeof source === 'string' ? source : null
  if (text !== null) return text.slice(0, maxSourceLength)
  return source ?? null
}
