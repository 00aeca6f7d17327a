import { ingestRows } from './server-metrics.ts'

/** The number of received records by outcome. */
interface IngestResult {
  accepted: number
  setAside: number
  repeated?: number
}

/** Counts records that were pulled from feeds, pushed by operators and sensors, or imported from files. */
export function countIngested(
  source: 'pull' | 'push' | 'file',
  { accepted, setAside, repeated = 0 }: IngestResult,
): void {
  ingestRows.inc({ source, result: 'accepted' }, accepted)
  ingestRows.inc({ source, result: 'set_aside' }, setAside)
  ingestRows.inc({ source, result: 'repeated' }, repeated)
}
