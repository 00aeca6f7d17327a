import type { VehicleDay } from '#contract/vehicles.ts'
import type { VehicleState } from '#contract/vehicle-states.ts'

const dayMs = 86_400_000

/** A stretch of the day in one state. `left` and `width` are parts of 24 hours. */
export interface DayPiece {
  state: VehicleState
  from: number
  /** Null: until now. */
  to: number | null
  left: number
  width: number
}

/** The intervals of a day cut to it, neighbours of one state made one. A day of a clock change is drawn over 24 hours all the same. */
export function dayPieces(
  { intervals, day_start: start }: Pick<VehicleDay, 'intervals' | 'day_start'>,
  at: number,
): DayPiece[] {
  const pieces: { state: VehicleState; from: number; to: number | null }[] = []
  for (const { state, from, to } of intervals) {
    const last = pieces.at(-1)
    const begin = Math.max(from, start)
    if (last && last.state === state && last.to === begin) last.to = to
    else pieces.push({ state, from: begin, to })
  }
  return pieces.map((piece) => {
    const left = Math.min(1, (piece.from - start) / dayMs)
    return { ...piece, left, width: Math.max(0, Math.min(1, ((piece.to ?? at) - start) / dayMs) - left) }
  })
}
