import type { MapRows } from './spatial-maps.ts'

/** Version of the way the numbers of maps are made (metrics.md, Evaluation aggregations). */
const methodVersion = 1

/** How an answer was made: the same name, version and parameters give the same answer elsewhere. */
export const methodOf = ({
  ask,
}: Pick<MapRows, 'ask'>): { name: string; version: number; buffer: number } => ({
  name: ask.aggregation,
  version: methodVersion,
  buffer: ask.buffer,
})

/** Ms since a moment of the process's clock, to a tenth. */
export const millisecondsSince = (start: number): number => Math.round((performance.now() - start) * 10) / 10
