import type { CurbFindingCode, CurbMapping } from '../../contract/curb-imports.ts'
import type {
  CurbFile,
  CurbFormat,
  StagedRow,
  StagingContext,
} from '../../server/curb/imports/curb-format.ts'

export const center = { lon: -122.68, lat: 45.52 }

/** A file of these bytes, read in parts of `partBytes`, so that records are cut anywhere. */
export const createCurbFile = (content: string | object, partBytes = 1 << 16): CurbFile => {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  return {
    name: 'test',
    async *bytes() {
      for (let at = 0; at < bytes.length; at += partBytes) yield bytes.subarray(at, at + partBytes)
    },
  }
}

interface Options {
  mapping?: CurbMapping | null
  publishedPolicyIds?: readonly string[]
  at?: { lon: number; lat: number }
  timeZone?: string
}

/** Every row that a format makes of files, with the notes about the files. */
export async function stageAll(
  format: CurbFormat,
  files: readonly [CurbFile, ...CurbFile[]],
  { mapping = null, publishedPolicyIds = [], at = center, timeZone = 'America/Los_Angeles' }: Options = {},
): Promise<{ rows: StagedRow[]; fileCodes: CurbFindingCode[] }> {
  const fileCodes: CurbFindingCode[] = []
  const context: StagingContext = {
    timeZone,
    currency: 'USD',
    center: at,
    reachKm: 60,
    publishedPolicyIds: new Set(publishedPolicyIds),
    mapping,
    noteFile: (code) => void fileCodes.push(code),
  }
  const rows: StagedRow[] = []
  for await (const batch of format.stage(files, context)) rows.push(...batch)
  return { rows, fileCodes }
}

export function countOutcomes(rows: readonly StagedRow[]): Record<string, number> {
  const counts: Record<string, number> = {}
  for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1
  return counts
}

export const getFindingCodes = (row: StagedRow | undefined): CurbFindingCode[] =>
  (row?.findings ?? []).map(({ code }) => code)
