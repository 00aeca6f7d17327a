import type { DrawnLine } from './drawn-line.ts'

/** Who gives way where lines come very close: the lower rank stays in its place. */
const RANKS: Record<DrawnLine['kind'], number> = {
  shore: 0,
  limit: 1,
  freeway: 2,
  arterial: 3,
  park: 4,
  collector: 5,
  local: 6,
}

export function lineRank(line: DrawnLine): number {
  return RANKS[line.kind]
}
