// The clock of a zone, asked of Intl moment by moment.
const quarter = 900_000
const dayMs = 86_400_000

export interface PlainClock {
  /** Number of the local day and seconds since its midnight, as the clock shows them at an instant (ms). */
  shows(ms: number): { day: number; seconds: number }
  /** The first instant (ms) at which the clock shows a time of a day; of one that it skips, as long after the change as the time is after the last one shown. */
  at(day: number, seconds: number): number
  /** Ms that the clock is before UTC. */
  offset(ms: number): number
}

const clocks = new Map<string, PlainClock>()

export function plainClock(zone: string): PlainClock {
  const made = clocks.get(zone)
  if (made) return made
  const format = new Intl.DateTimeFormat('en-GB', {
    timeZone: zone,
    hourCycle: 'h23',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
  })
  const known = new Map<number, number>()
  /** Clocks are changed at full quarters of an hour of UTC. */
  function offset(ms: number): number {
    const since = Math.floor(ms / quarter) * quarter
    let found = known.get(since)
    if (found === undefined) {
      const parts = Object.fromEntries(
        format.formatToParts(since).map(({ type, value }) => [type, Number(value)]),
      )
      found =
        Date.UTC(
          parts['year'] ?? 0,
          (parts['month'] ?? 1) - 1,
          parts['day'],
          parts['hour'],
          parts['minute'],
          parts['second'],
        ) - since
      known.set(since, found)
    }
    return found
  }
  const clock: PlainClock = {
    offset,
    shows(ms) {
      const wall = ms + offset(ms)
      const day = Math.floor(wall / dayMs)
      return { day, seconds: Math.floor((wall - day * dayMs) / 1000) }
    },
    at(day, seconds) {
      const wall = day * dayMs + seconds * 1000
      const [before, after] = [offset(wall - 1.5 * dayMs), offset(wall + 1.5 * dayMs)]
      const shown = [wall - before, wall - after].filter((ms) => ms + offset(ms) === wall)
      return shown.length ? Math.min(...shown) : wall - before
    },
  }
  clocks.set(zone, clock)
  return clock
}

/** Seconds of HH:MM or HH:MM:SS. */
export const secondsOf = (text: string): number =>
  text.split(':').reduce((sum, part, at) => sum + Number(part) * ([3600, 60, 1][at] ?? 0), 0)
