import type { Position } from '#contract/place.ts'
import type { DrawingPart } from '#web/map/drawing-tools/drawing-board.ts'

const isRing = ({ kind }: DrawingPart): boolean => kind === 'outline' || kind === 'hole'

/** The corners of a part; that of a ring's end is its first. */
export const cornersOf = (part: DrawingPart): readonly Position[] =>
  isRing(part) ? part.positions.slice(0, -1) : part.positions

const closed = (part: DrawingPart, corners: readonly Position[]): Position[] =>
  isRing(part) ? [...corners, corners[0]!] : [...corners]

export const moveCorner = (part: DrawingPart, at: number, to: Position): Position[] =>
  closed(part, cornersOf(part).with(at, to))
export const removeCorner = (part: DrawingPart, at: number): Position[] =>
  closed(part, cornersOf(part).toSpliced(at, 1))

/** Adds a corner halfway to the next; behind the last of a line it goes on by half of its last edge. */
export function addCorner(part: DrawingPart, at: number): Position[] {
  const corners = cornersOf(part)
  const [here, next] = [corners[at]!, corners[at + 1] ?? (isRing(part) ? corners[0] : null)]
  const before = corners[at - 1] ?? here
  const place: Position = next
    ? [(here[0] + next[0]) / 2, (here[1] + next[1]) / 2]
    : [here[0] + (here[0] - before[0]) / 2, here[1] + (here[1] - before[1]) / 2]
  return closed(part, corners.toSpliced(at + 1, 0, place))
}
