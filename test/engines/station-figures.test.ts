// Compares station figures for random polls and windows with a count of every minute, around both clock changes.
import { randomUUID } from 'node:crypto'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { civilClock } from '#contract/civil-clock.ts'
import { dayFromNumber, dayMs, dayNumber, minuteMs } from '#contract/period.ts'
import { systemScope } from '#server/identity/scope.ts'
import { readStationFigures, type StationFigures } from '#server/fleet/stations/read-station-figures.ts'
import {
  type StationFeed,
  StationHistory,
  type StationState,
} from '#server/fleet/stations/station-history.ts'
import { makeReportWindows } from '#server/reporting/bikeshare/report-windows.ts'
import type { Facts } from '#server/stores/facts.ts'
import { facts as factsOf, sql } from '#server/stores/sql.ts'
import { createRandom } from '../city/random.ts'
import { useFacts } from './use-stores.ts'

const runs = Number(process.env['STATION_RUNS'] ?? 1)
const timezone = 'America/New_York'
const scope = systemScope
const stationIds = ['a', 'b', 'c']
/** A state is unknown from this long after the last poll. */
const maxPollGapMs = 10 * minuteMs

let facts: Facts
// oxlint-disable-next-line rules-of-hooks
useFacts((opened) => void (facts = opened))

interface Poll {
  at: number
  states: StationState[]
}

/** Makes polls every few minutes with some gaps, of stations that come, go and change at random. */
function makePolls(random: () => number, from: number, until: number): Poll[] {
  const polls: Poll[] = []
  let states = new Map<string, StationState>()
  for (
    let at = from;
    at < until;
    at += minuteMs * (random() < 0.04 ? 11 + random() * 90 : 1 + random() * 9)
  ) {
    at = Math.floor(at / minuteMs) * minuteMs
    states = new Map(
      stationIds.flatMap((stationId): [string, StationState][] => {
        const earlierState = states.get(stationId)
        if (random() < 0.03) return []
        if (earlierState && random() < 0.6) return [[stationId, earlierState]]
        const isInstalled = random() < 0.95
        return [
          [
            stationId,
            {
              stationId,
              vehiclesAvailable: Math.max(0, Math.floor(random() * 4) - 1),
              docksAvailable: stationId === 'c' ? Number.NaN : Math.max(0, Math.floor(random() * 4) - 1),
              vehiclesDisabled: random() < 0.1 ? Number.NaN : Math.floor(random() * 3),
              isInstalled,
              isRenting: isInstalled && random() < 0.9,
              isReturning: isInstalled && random() < 0.9,
              lastReported: at - Math.floor(random() * 5) * minuteMs,
            },
          ],
        ]
      }),
    )
    polls.push({ at, states: [...states.values()] })
  }
  return polls
}

type PlainFigures = Omit<
  StationFigures,
  'operator' | 'feedId' | 'name' | 'lon' | 'lat' | 'capacity' | 'reported'
>

/** Computes the figures from each minute of each window. */
function plainFigures(
  polls: readonly Poll[],
  stationId: string,
  minutes: readonly number[],
  toleranceMs: number,
): PlainFigures {
  const getStateAt = (at: number): StationState | undefined => {
    const poll = polls.findLast((poll) => poll.at <= at)
    return poll && at < poll.at + maxPollGapMs
      ? poll.states.find((state) => state.stationId === stationId)
      : undefined
  }
  const knownStates = minutes.flatMap((at) => {
    const state = getStateAt(at)
    return state ? [{ at, state }] : []
  })
  type KnownState = (typeof knownStates)[number]
  const isEmpty = ({ state }: KnownState): boolean => state.isRenting && state.vehiclesAvailable === 0
  const isFull = ({ state }: KnownState): boolean => state.isReturning && state.docksAvailable === 0
  const getTime = (when: (state: KnownState) => boolean): number => knownStates.filter(when).length * minuteMs
  const listRuns = (when: (state: KnownState) => boolean): number[] => {
    const runs: { last: number; ms: number }[] = []
    for (const { at } of knownStates.filter(when)) {
      const run = runs.at(-1)
      if (run?.last === at - minuteMs) Object.assign(run, { last: at, ms: run.ms + minuteMs })
      else runs.push({ last: at, ms: minuteMs })
    }
    return runs.map(({ ms }) => ms)
  }
  const runsBeyondTolerance = listRuns((state) => isEmpty(state) || isFull(state)).filter(
    (ms) => ms > toleranceMs,
  )
  const withDisabledCount = knownStates.filter(({ state }) => !Number.isNaN(state.vehiclesDisabled))
  const countedMinutes = new Set(minutes)
  const changes = polls.flatMap((poll, index) => {
    const previousPoll = polls[index - 1]
    if (!previousPoll || poll.at - previousPoll.at > maxPollGapMs || !countedMinutes.has(poll.at)) return []
    const [earlier, later] = [previousPoll, poll].map(({ states }) => {
      const state = states.find((state) => state.stationId === stationId)
      return state && state.vehiclesAvailable + (state.vehiclesDisabled || 0)
    })
    return earlier === undefined || later === undefined ? [] : [later - earlier]
  })
  const hasDocks = knownStates.some(({ state }) => !Number.isNaN(state.docksAvailable))
  return {
    stationId,
    knownMs: knownStates.length * minuteMs,
    installedMs: getTime(({ state }) => state.isInstalled),
    rentingMs: getTime(({ state }) => state.isRenting),
    returningMs: getTime(({ state }) => state.isReturning),
    emptyMs: getTime(isEmpty),
    fullMs: hasDocks ? getTime(isFull) : Number.NaN,
    eitherMs: getTime((state) => isEmpty(state) || isFull(state)),
    maxEmptyMs: Math.max(0, ...listRuns(isEmpty)),
    maxFullMs: hasDocks ? Math.max(0, ...listRuns(isFull)) : Number.NaN,
    beyondMs: runsBeyondTolerance.reduce((total, ms) => total + ms - toleranceMs, 0),
    runsBeyond: runsBeyondTolerance.length,
    disabledMean:
      withDisabledCount.reduce((total, { state }) => total + state.vehiclesDisabled, 0) /
      withDisabledCount.length,
    starts: changes.reduce((total, change) => total + Math.max(0, -change), 0),
    ends: changes.reduce((total, change) => total + Math.max(0, change), 0),
  }
}

/** Lists the minutes of a local day between the first ones that show `from` and `until` or later. */
function listWindowMinutes(day: number, from: string, until: string): number[] {
  const clock = civilClock(timezone)
  const toSeconds = (text: string): number => Number(text.slice(0, 2)) * 3600 + Number(text.slice(3)) * 60
  const minutes: number[] = []
  let hasBegun = false
  let hasEnded = false
  for (let at = (day - 1) * dayMs; at < (day + 2) * dayMs; at += minuteMs) {
    const local = clock.local(at)
    if (local.day !== day) continue
    hasBegun ||= local.seconds >= toSeconds(from)
    hasEnded ||= local.seconds >= toSeconds(until)
    if (hasBegun && !hasEnded) minutes.push(at)
  }
  return minutes
}

test('station figures equal a count of every minute for any polls, restarts and replays', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom('2026-03-08', '2026-11-01', '2026-06-10'),
      fc.shuffledSubarray(
        [
          ['06:00', '22:00'],
          ['00:00', '24:00'],
          ['01:30', '05:00'],
          ['00:00', '01:30'],
        ],
        { minLength: 4 },
      ),
      fc.integer(),
      async (day, times, seed) => {
        const random = createRandom(seed)
        const first = dayNumber(day)
        const feed: StationFeed = { regionId: 'here', operator: `o-${randomUUID()}`, feedId: randomUUID() }
        const polls = makePolls(
          random,
          first * dayMs - 3 * 60 * minuteMs,
          (first + 1) * dayMs + 8 * 60 * minuteMs,
        )
        // Some polls are read late, from the raw files, and many twice.
        const lateFrom = Math.floor(random() * (polls.length - 30))
        const late = polls.slice(lateFrom, lateFrom + 25)
        const order = [...polls.filter((poll) => !late.includes(poll)), ...late, ...polls.slice(5, 10)]
        let history = new StationHistory(facts)
        for (const { at, states } of order) {
          if (random() < 0.02) history = new StationHistory(facts)
          await history.recordStates(scope, feed, states, at)
        }
        // Storing polls takes most of the time, so each history is read with all windows.
        for (const [index, [from = '', until = '']] of times.entries()) {
          const toleranceMs = [0, 5, 10, 30][index]! * minuteMs
          const windows = makeReportWindows(
            { start_date: dayFromNumber(first - 1), end_date: dayFromNumber(first + 1) },
            { from, until },
            timezone,
            Infinity,
          )
          const { stations } = await readStationFigures(
            facts,
            scope,
            { regionId: 'here', operators: [feed.operator], windows },
            { toleranceMs, signal: new AbortController().signal },
          )
          const minutes = [first - 1, first, first + 1].flatMap((index) =>
            listWindowMinutes(index, from, until),
          )
          expect(windows.reduce((total, window) => total + window.until - window.from, 0)).toBe(
            minutes.length * minuteMs,
          )
          expect(
            stations.map(
              ({
                operator: _o,
                feedId: _f,
                name: _n,
                lon: _x,
                lat: _y,
                capacity: _c,
                reported: _r,
                ...plain
              }) => ({ ...plain, disabledMean: expect.closeTo(plain.disabledMean, 9) }),
            ),
          ).toEqual(stationIds.map((stationId) => plainFigures(polls, stationId, minutes, toleranceMs)))
        }
      },
    ),
    { numRuns: runs },
  )
}, 300_000)

test('stations store the same polls of two servers without duplicate rows', async () => {
  const feed: StationFeed = { regionId: 'here', operator: 'twice', feedId: randomUUID() }
  const polls = makePolls(createRandom(7), Date.UTC(2026, 5, 1, 22), Date.UTC(2026, 5, 2, 1))
  const servers = [new StationHistory(facts), new StationHistory(facts)]
  for (const [index, poll] of polls.entries()) {
    await servers[index % 2]?.recordStates(scope, feed, poll.states, poll.at)
    await servers[(index + 1) % 2]?.recordStates(scope, feed, poll.states, poll.at)
  }
  const [row] = await facts.rows<{ n: string; keys: string }>(
    scope,
    sql`
      select count() as n, uniqExact(station_id, from_time) as keys
      from ${factsOf('station_states')}
      where operator = 'twice'`,
  )
  expect(row?.n).toBe(row?.keys)
  expect(Number(row?.n)).toBeGreaterThan(20)
})
