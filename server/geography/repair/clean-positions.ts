import type { Position } from 'geojson'

interface Cleaned {
  positions: Position[]
  /** Positions left out because they were no numbers. */
  notFinite: number
  /** Positions left out because they repeated the one before. */
  repeated: number
}

/** A line without positions that are no numbers or repeat the one before; the same array when there are none. */
export function cleanPositions(positions: Position[]): Cleaned {
  let notFinite = 0
  let repeated = 0
  const kept: Position[] = []
  for (const position of positions) {
    const [x = NaN, y = NaN] = position
    const last = kept.at(-1)
    if (!Number.isFinite(x) || !Number.isFinite(y)) notFinite += 1
    else if (last !== undefined && last[0] === x && last[1] === y) repeated += 1
    else kept.push(position)
  }
  return { positions: kept.length === positions.length ? positions : kept, notFinite, repeated }
}
