import type { IssuePoints } from '#contract/issues.ts'
import { dayNumber, dayFromNumber } from '#contract/period.ts'
import { maxTimeValues } from '#contract/spatial.ts'
import type { Period } from '#web/filters/period.ts'
import type { AxisSteps, AxisPlaying } from '#web/map-page/time/axis-playing.ts'
import { useSyncExternalStore } from 'react'

/** The points of a response, by local day. */
export class IssueSteps implements AxisSteps {
  readonly by = 'day'
  readonly buckets: readonly string[]
  /** Number of issues by day, including those without a place or a point. */
  readonly totals: readonly number[]
  readonly #points: IssuePoints
  readonly #first: number
  readonly #counts: ReadonlyMap<number, { total: number; placed: number }>
  /** The index ranges of points by day; points are sorted by day. */
  readonly #runs: ReadonlyMap<number, { from: number; to: number }>
  #last: { bucket: number; points: IssuePoints } | null = null

  constructor(points: IssuePoints, { start_date, end_date }: Period) {
    this.#points = points
    this.#first = dayNumber(start_date)
    const days = dayNumber(end_date) - this.#first + 1
    this.buckets =
      days > maxTimeValues
        ? []
        : Array.from({ length: Math.max(0, days) }, (_, index) => dayFromNumber(this.#first + index))
    const { day, total, placed } = points.by_day
    this.#counts = new Map(day.map((each, index) => [each, { total: total[index] ?? 0, placed: placed[index] ?? 0 }]))
    this.totals = this.buckets.map((_, index) => this.#counts.get(this.#first + index)?.total ?? 0)
    this.#runs = runsOf(points.day)
  }

  at(bucket: number): { total: number | null; unit: 'events' } {
    return { total: this.totals[bucket] ?? null, unit: 'events' }
  }

  /**
   * The points of a day with its counts; types retain their indexes. Repeated calls return the same object.
   */
  points(bucket: number): IssuePoints {
    if (this.#last?.bucket !== bucket) this.#last = { bucket, points: this.#cut(this.#first + bucket) }
    return this.#last.points
  }

  #cut(day: number): IssuePoints {
    const all = this.#points
    const { from, to } = this.#runs.get(day) ?? { from: 0, to: 0 }
    const { total, placed } = this.#counts.get(day) ?? { total: 0, placed: 0 }
    const [type, closed] = [all.type.slice(from, to), all.closed.slice(from, to)]
    const types = all.types.map((each) => ({ ...each, open: 0, closed: 0 }))
    for (const [at, which] of type.entries()) {
      const counted = types[which]
      if (counted) counted[closed[at] ? 'closed' : 'open'] += 1
    }
    return {
      ...all,
      total,
      placed,
      types,
      type,
      closed,
      id: all.id.slice(from, to),
      source: all.source.slice(from, to),
      day: all.day.slice(from, to),
      lon: all.lon.slice(from, to),
      lat: all.lat.slice(from, to),
    }
  }
}

function runsOf(days: readonly number[]): ReadonlyMap<number, { from: number; to: number }> {
  const runs = new Map<number, { from: number; to: number }>()
  for (const [at, day] of days.entries()) {
    const run = runs.get(day)
    if (run) run.to = at + 1
    else runs.set(day, { from: at, to: at + 1 })
  }
  return runs
}

const never = (): (() => void) => () => {}
const nowhere = (): number => 0

/**
 * The visible points: all, or those of the day of a playback. Components that use this hook are rendered at
 * every step.
 */
export function useShownPoints(
  points: IssuePoints | null,
  playing: AxisPlaying<IssueSteps> | null,
): IssuePoints | null {
  const at = useSyncExternalStore(playing?.head.subscribe ?? never, playing?.head.read ?? nowhere)
  return playing ? playing.playback.points(at) : points
}
