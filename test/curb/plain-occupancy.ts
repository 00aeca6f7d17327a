// Reference implementation of occupancy by local hour: checks each space every second, or every few seconds.
import { dayMs } from '#contract/period.ts'

export interface PlainZone {
  id: string
  /** Number of spaces from a time on. The first number also applies before. */
  capacities: { from: number; spaces: number }[]
  /** Minutes of the day with payment, except on Sundays. */
  paid: [from: number, until: number]
  noStopping: [from: number, until: number] | null
}
export interface PlainSession {
  zone: string
  space: string
  kind: 'sensor' | 'payment'
  from: number
  until: number
}
export interface PlainEvent {
  device: string
  zone: string
  space: string
  time: number
  isLost: boolean
}
export interface PlainCity {
  timezone: string
  zones: PlainZone[]
  sessions: PlainSession[]
  events: PlainEvent[]
}

/** Returns the seconds [open, known, occupied] of open hours by `kind day zone hour`. */
export function plainOccupancy(
  { timezone, zones, sessions, events }: PlainCity,
  from: number,
  until: number,
  stepMs: number,
): Map<string, [number, number, number]> {
  const format = new Intl.DateTimeFormat('en-CA', {
    timeZone: timezone,
    hourCycle: 'h23',
    weekday: 'short',
    year: 'numeric',
    month: '2-digit',
    day: '2-digit',
    hour: '2-digit',
    minute: '2-digit',
  })
  const readClock = (ms: number) => {
    const parts = Object.fromEntries(format.formatToParts(ms).map(({ type, value }) => [type, value]))
    return {
      day: `${parts['year']}-${parts['month']}-${parts['day']}`,
      hour: Number(parts['hour']),
      minutes: Number(parts['hour']) * 60 + Number(parts['minute']),
      isSunday: parts['weekday']?.startsWith('Sun') ?? false,
    }
  }
  const clocks = new Map<number, ReturnType<typeof readClock>>()
  const getClockAt = (ms: number) => {
    const minute = Math.floor(ms / 60_000)
    const clock = clocks.get(minute) ?? readClock(ms)
    clocks.set(minute, clock)
    return clock
  }
  const step = stepMs / 1000
  const payments = sessions.filter(({ kind }) => kind === 'payment')
  const paidDays = new Set(payments.map((session) => getClockAt(session.from).day))
  const findFirstPaidDay = (zone: string): string =>
    payments
      .filter((session) => session.zone === zone)
      .map((session) => getClockAt(session.from).day)
      .toSorted()[0] ?? '9999'
  const first = new Map(zones.map(({ id }) => [id, findFirstPaidDay(id)]))
  const devices = [...new Set(events.map(({ device }) => device))].map((device) => {
    const deviceEvents = events.filter((event) => event.device === device).toSorted((a, b) => a.time - b.time)
    const spaces = new Set(deviceEvents.map(({ space }) => space))
    return {
      zone: deviceEvents[0]?.zone,
      space: spaces.size === 1 ? [...spaces][0] : '',
      events: deviceEvents,
    }
  })
  const isOnline = (device: (typeof devices)[number], at: number): boolean => {
    const last = device.events.findLast(({ time }) => time <= at)
    return last !== undefined && !last.isLost && at - last.time < dayMs
  }
  const sums = new Map<string, [number, number, number]>()
  const add = (key: string, open: number, known: number, occupied: number): void => {
    const sum = sums.get(key) ?? [0, 0, 0]
    sums.set(key, [sum[0] + open * step, sum[1] + known * step, sum[2] + occupied * step])
  }
  for (let time = from; time < until; time += stepMs) {
    const { day, hour, minutes, isSunday } = getClockAt(time)
    const isIn = ([begin, end]: [number, number]): boolean => minutes >= begin && minutes < end
    for (const zone of zones) {
      const { spaces } = zone.capacities.findLast((capacity) => capacity.from <= time) ?? zone.capacities[0]!
      const isClosed = zone.noStopping !== null && isIn(zone.noStopping)
      if (isClosed) continue
      const inZone = sessions.filter(
        (session) => session.zone === zone.id && session.from <= time && time < session.until,
      )
      const listSpaces = (kind: string): Set<string> =>
        new Set(inZone.filter((session) => session.kind === kind && session.space).map(({ space }) => space))
      const countZoneSessions = (kind: string): number =>
        inZone.filter((session) => session.kind === kind && !session.space).length
      const online = devices.filter((device) => device.zone === zone.id && isOnline(device, time))
      const isWhole = online.some(({ space }) => space === '')
      const watched = new Set(online.map(({ space }) => space))
      const watchedCount = [...listSpaces('sensor')].filter((space) => isWhole || watched.has(space)).length
      add(
        `measured ${day} ${zone.id} ${hour}`,
        spaces,
        isWhole ? spaces : watched.size,
        watchedCount + (isWhole ? countZoneSessions('sensor') : 0),
      )
      if (isSunday || !isIn(zone.paid)) continue
      const isKnown = paidDays.has(day) && day >= first.get(zone.id)!
      add(
        `paid ${day} ${zone.id} ${hour}`,
        spaces,
        isKnown ? spaces : 0,
        listSpaces('payment').size + countZoneSessions('payment'),
      )
    }
  }
  for (const [key, [open, known, occupied]] of sums) {
    const limited = Math.min(known, open)
    sums.set(key, limited * 2 >= open ? [open, limited, occupied] : [open, 0, 0])
    if (open === 0) sums.delete(key)
  }
  return sums
}
