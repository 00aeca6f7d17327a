import { dayMs } from '#contract/period.ts'
import { type CurbEvent, isSessionLane, isSingleLane } from './curb-event.ts'

/** An end this long after a start does not belong to it. */
export const maxSessionMs = 7 * dayMs
/** A session without an end is assumed to continue for this long. After that, its end is unknown. */
export const maxOpenMs = dayMs

/**
 * Problems of sessions. `no_start`, `no_end`: the other event is missing, although later events of the lane
 * arrived. `ends_before_start`: the clock of the source is wrong. `repeated_start`, `repeated_end`: several
 * with the same session id.
 */
export const sessionProblems = [
  'no_start',
  'no_end',
  'ends_before_start',
  'repeated_start',
  'repeated_end',
] as const
export type SessionProblem = (typeof sessionProblems)[number]

/** The fields of an event from which sessions are derived. */
export type LaneEvent = Pick<
  CurbEvent,
  | 'eventId'
  | 'type'
  | 'time'
  | 'zoneId'
  | 'areaIds'
  | 'spaceId'
  | 'objectId'
  | 'sourceKind'
  | 'sessionKey'
  | 'vehicle'
  | 'vehicleType'
  | 'vehicleLength'
  | 'propulsion'
  | 'purpose'
  | 'lon'
  | 'lat'
  | 'amount'
  | 'channel'
  | 'blockedLanes'
>

/** A stay of a vehicle at a place, as one source reports it. Times are ms since 1970. */
export interface LaneSession {
  /** Identifies the session within its lane: the id of its start event, or else of its end event. */
  key: string
  fromTime: number
  start: LaneEvent | null
  end: LaneEvent | null
  /** When the session stopped waiting for further events. Null if it still waits. */
  closedTime: number | null
  problems: SessionProblem[]
}

const isStart = ({ type }: LaneEvent): boolean => type === 'park_start' || type === 'enter_area'

/** Returns a session that begins with an event and has no end yet. */
export const startSession = (start: LaneEvent): LaneSession => ({
  key: start.eventId,
  fromTime: start.time,
  start,
  end: null,
  closedTime: null,
  problems: [],
})

function addProblem(session: LaneSession, problem: SessionProblem): void {
  if (!session.problems.includes(problem)) session.problems.push(problem)
}

/** Whether a session still waits for events at a time. */
const isWaitingAt = ({ start, fromTime, closedTime }: LaneSession, time: number): boolean =>
  closedTime === null ? (start?.time ?? fromTime) + maxSessionMs >= time : closedTime >= time

/** Pairs starts and ends of a lane by time. `openSessions` were open before, and are returned too. */
export function deriveLane(
  lane: string,
  events: readonly LaneEvent[],
  openSessions: readonly LaneSession[] = [],
): LaneSession[] {
  const hasSessionId = isSessionLane(lane)
  const isSingle = isSingleLane(lane)
  const sessions: LaneSession[] = [...openSessions]
  let waiting: LaneSession[] = [...openSessions]

  const handleStart = (event: LaneEvent): void => {
    const [current] = waiting
    if (hasSessionId && current) {
      if (current.start) return addProblem(current, 'repeated_start')
      current.start = event
      if (current.end && event.time > current.end.time) addProblem(current, 'ends_before_start')
      return
    }
    if (isSingle && current) {
      // The next vehicle has arrived, so the previous one left at an unknown time.
      current.closedTime = event.time
      addProblem(current, 'no_end')
      waiting = []
    }
    const session = startSession(event)
    sessions.push(session)
    waiting.push(session)
  }

  const handleEnd = (event: LaneEvent): void => {
    const [current] = waiting
    if (!current) {
      const session: LaneSession = {
        ...startSession(event),
        start: null,
        end: event,
        closedTime: hasSessionId ? event.time + maxSessionMs : event.time,
        problems: hasSessionId ? [] : ['no_start'],
      }
      sessions.push(session)
      if (hasSessionId) waiting.push(session)
      return
    }
    if (current.end) addProblem(current, 'repeated_end')
    // Of several ends the last one counts, because paid sessions are extended.
    current.end = event
    current.closedTime = hasSessionId ? event.time + maxSessionMs : event.time
    if (hasSessionId && current.start && current.start.time <= event.time)
      current.problems = current.problems.filter((problem) => problem !== 'ends_before_start')
    if (!hasSessionId) waiting.shift()
  }

  for (let index = 0; index < events.length;) {
    const time = (events[index] as LaneEvent).time
    const group: LaneEvent[] = []
    while (events[index]?.time === time) group.push(events[index++] as LaneEvent)
    waiting = waiting.filter((session) => isWaitingAt(session, time))
    // Events of the same millisecond: if a vehicle is present, it leaves before the next one arrives.
    // Otherwise it arrives first.
    const isBusy = waiting.length > 0 && !hasSessionId
    const getRank = (event: LaneEvent): number => (isStart(event) === isBusy ? 1 : 0)
    group.sort((a, b) => getRank(a) - getRank(b) || (a.eventId < b.eventId ? -1 : 1))
    for (const event of group) {
      if (isStart(event)) handleStart(event)
      else handleEnd(event)
    }
  }
  return sessions
}
