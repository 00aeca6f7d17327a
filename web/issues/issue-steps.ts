import { useSyncExternalStore } from 'react'
import type { IssuePoints } from '#contract/issues.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { maxTimeValues } from '#contract/spatial.ts'
import type { Period } from '#web/filters/period.ts'
import type { AxisSteps, AxisPlaying } from '#web/map-page/time/axis-playing.ts'

/** The points of a response, by local day. */
export class IssueSteps implements AxisSteps {
  readonly by = 'day'
  readonly buckets: readonly string[]
  /** Number of issues by day, including those without a place or a point. */
  readonly totals: readonly number[]
  readonly #points: IssuePoints
  /** Day number of the first bucket. */
  readonly #firstDay: number
  readonly #counts: ReadonlyMap<number, { total: number; placed: number }>
  /** The index ranges of points by day; points are sorted by day. */
  readonly #ranges: ReadonlyMap<number, { from: number; to: number }>
  #cached: { bucket: number; points: IssuePoints } | null = null

  constructor(points: IssuePoints, { start_date, end_date }: Period) {
    this.#points = points
    this.#firstDay = dayNumber(start_date)
    const dayCount = dayNumber(end_date) - this.#firstDay + 1
    this.buckets =
      dayCount > maxTimeValues
        ? []
        : Array.from({ length: Math.max(0, dayCount) }, (_, index) => dayFromNumber(this.#firstDay + index))
    const { day, total, placed } = points.by_day
    this.#counts = new Map(
      day.map((localDay, index) => [localDay, { total: total[index] ?? 0, placed: placed[index] ?? 0 }]),
    )
    this.totals = this.buckets.map((_, index) => this.#counts.get(this.#firstDay + index)?.total ?? 0)
    this.#ranges = findDayRanges(points.day)
  }
  resultAt(bucket: number): { total: number | null; unit: 'events' } {
    return { total: this.totals[bucket] ?? null, unit: 'events' }
  }

  /** Returns the points of a day with its counts, in repeated calls the same object. Types retain indexes. */
  points(bucket: number): IssuePoints {
    if (this.#cached?.bucket !== bucket)
      this.#cached = { bucket, points: this.#pointsOfDay(this.#firstDay + bucket) }
    return this.#cached.points
  }

  #pointsOfDay(day: number): IssuePoints {
    const points = this.#points
    const { from, to } = this.#ranges.get(day) ?? { from: 0, to: 0 }
    const { total, placed } = this.#counts.get(day) ?? { total: 0, placed: 0 }
    const typeIndexes = points.type.slice(from, to)
    const closed = points.closed.slice(from, to)
    const types = points.types.map((type) => ({ ...type, open: 0, closed: 0 }))
    for (const [index, typeIndex] of typeIndexes.entries()) {
      const counts = types[typeIndex]
      if (counts) counts[closed[index] ? 'closed' : 'open'] += 1
    }
    return {
      ...points,
      total,
      placed,
      types,
      type: typeIndexes,
      closed,
      id: points.id.slice(from, to),
      source: points.source.slice(from, to),
      day: points.day.slice(from, to),
      lon: points.lon.slice(from, to),
      lat: points.lat.slice(from, to),
    }
  }
}

/** Returns the index range of each day; `to` is exclusive. */
function findDayRanges(days: readonly number[]): ReadonlyMap<number, { from: number; to: number }> {
  const ranges = new Map<number, { from: number; to: number }>()
  for (const [index, day] of days.entries()) {
    const range = ranges.get(day)
    if (range) range.to = index + 1
    else ranges.set(day, { from: index, to: index + 1 })
  }
  return ranges
}

// A play head that never moves, for points without a playback.
const subscribeToNothing = (): (() => void) => () => {}
const readZero = (): number => 0

/** Returns all points, or those of the day of a playback, which renders the component at every step. */
export function useShownPoints(
  points: IssuePoints | null,
  playing: AxisPlaying<IssueSteps> | null,
): IssuePoints | null {
  const bucket = useSyncExternalStore(
    playing?.head.subscribe ?? subscribeToNothing,
    playing?.head.read ?? readZero,
  )
  return playing ? playing.playback.points(bucket) : points
}
