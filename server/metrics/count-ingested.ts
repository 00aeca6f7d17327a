import { ingestRows } from './server-metrics.ts'

/** What became of received records. */
interface Ingested {
  accepted: number
  setAside: number
  repeated?: number
}

/** Counts received records: of feeds that are pulled, of operators and sensors that push, and of files. */
export function countIngested(
  source: 'pull' | 'push' | 'file',
  { accepted, setAside, repeated = 0 }: Ingested,
): void {
  ingestRows.inc({ source, result: 'accepted' }, accepted)
  ingestRows.inc({ source, result: 'set_aside' }, setAside)
  ingestRows.inc({ source, result: 'repeated' }, repeated)
}
