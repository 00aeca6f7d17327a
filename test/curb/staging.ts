import type { CurbFindingCode, CurbMapping } from '../../contract/curb-imports.ts'
import type {
  CurbFile,
  CurbFormat,
  StagedRow,
  StagingContext,
} from '../../server/curb/imports/curb-format.ts'

export const center = { lon: -122.68, lat: 45.52 }

/** Creates a file that is read in parts of `partBytes`, which may split records. */
export const createCurbFile = (content: string | object, partBytes = 1 << 16): CurbFile => {
  const bytes = Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
  return {
    name: 'test',
    async *bytes() {
      for (let index = 0; index < bytes.length; index += partBytes)
        yield bytes.subarray(index, index + partBytes)
    },
  }
}

interface Options {
  mapping?: CurbMapping | null
  publishedPolicyIds?: readonly string[]
  at?: { lon: number; lat: number }
  timeZone?: string
}

/** Reads all rows of files in a format, with its notes about the files. */
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
