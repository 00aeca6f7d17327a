import type { FeedPiece } from '#contract/feeds.ts'

/** A day of UTC with its pieces by hour. */
export interface DayOfHours {
  day: string
  /** 24; undefined where no piece is known. */
  hours: (FeedPiece | undefined)[]
}

/** Pieces by day and hour, the newest day first; none where the pieces are no hours. */
export function hoursByDay(pieces: readonly FeedPiece[]): DayOfHours[] {
  const days = new Map<string, (FeedPiece | undefined)[]>()
  for (const piece of pieces) {
    const day = piece.piece.slice(0, 10)
    const hours = days.get(day) ?? Array.from({ length: 24 }, () => undefined)
    hours[Number(piece.piece.slice(11, 13))] = piece
    days.set(day, hours)
  }
  const isHourly = [...days.values()].some((hours) => hours.filter(Boolean).length > 1)
  return isHourly
    ? [...days].map(([day, hours]) => ({ day, hours })).toSorted((a, b) => b.day.localeCompare(a.day))
    : []
}
