import { type CurbEvent, isSessionLane, isSingleLane } from './curb-event.ts'

/** An end that comes later than this does not belong to the start. */
export const maxSessionMs = 7 * 86_400_000
/** A session without an end is taken to go on for this long; after that it is unknown when it ended. */
export const maxOpenMs = 24 * 3_600_000

/**
 * What can be wrong with a session. `no_start`, `no_end`: one-sided, though its lane went on; `ends_before_start`: its clock is off;
 * `repeated_start`, `repeated_end`: of the same session id.
 */
export const sessionProblems = [
  'no_start',
  'no_end',
  'ends_before_start',
  'repeated_start',
  'repeated_end',
] as const
export type SessionProblem = (typeof sessionProblems)[number]

/** What of an event decides about sessions. */
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

/** A stay of a vehicle at a place, as one source reports it. Times are ms. */
export interface LaneSession {
  /** Identifies it within its lane: its start, or the end of one without a start. */
  key: string
  fromTime: number
  start: LaneEvent | null
  end: LaneEvent | null
  /** When it stops to wait for an end; null: it waits. */
  closedTime: number | null
  problems: SessionProblem[]
}

const isStart = ({ type }: LaneEvent): boolean => type === 'park_start' || type === 'enter_area'

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

/** Whether a session waits for events at a time. */
const waitsAt = ({ start, fromTime, closedTime }: LaneSession, time: number): boolean =>
  closedTime === null ? (start?.time ?? fromTime) + maxSessionMs >= time : closedTime >= time

/** Pairs starts and ends of one lane in the order of their times. What is open before `events` begin is in `open`, oldest first. */
export function deriveLane(
  lane: string,
  events: readonly LaneEvent[],
  open: readonly LaneSession[] = [],
): LaneSession[] {
  const hasSessionId = isSessionLane(lane)
  const isSingle = isSingleLane(lane)
  const found: LaneSession[] = [...open]
  let waiting: LaneSession[] = [...open]

  const handleStart = (event: LaneEvent): void => {
    const [current] = waiting
    if (hasSessionId && current) {
      if (current.start) return addProblem(current, 'repeated_start')
      current.start = event
      if (current.end && event.time > current.end.time) addProblem(current, 'ends_before_start')
      return
    }
    if (isSingle && current) {
      // The next vehicle is there: the one before has left at an unknown time.
      current.closedTime = event.time
      addProblem(current, 'no_end')
      waiting = []
    }
    const session = startSession(event)
    found.push(session)
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
      found.push(session)
      if (hasSessionId) waiting.push(session)
      return
    }
    if (current.end) addProblem(current, 'repeated_end')
    // The end that lies last counts: sessions are extended.
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
    waiting = waiting.filter((session) => waitsAt(session, time))
    // At the same millisecond one vehicle leaves before the next arrives; without one, it arrives first.
    const isBusy = waiting.length > 0 && !hasSessionId
    const turn = (event: LaneEvent): number => (isStart(event) === isBusy ? 1 : 0)
    group.sort((a, b) => turn(a) - turn(b) || (a.eventId < b.eventId ? -1 : 1))
    for (const event of group) {
      if (isStart(event)) handleStart(event)
      else handleEnd(event)
    }
  }
  return found
}
