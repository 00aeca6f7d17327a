import type { FoundRow } from '#server/health/queries/row-columns.ts'

const whole = (text: string | undefined): string => String(Math.round(Number(text ?? 0)))
const span = (seconds: number): string =>
  seconds < 120
    ? `${Math.round(seconds)} s`
    : seconds < 7200
      ? `${Math.round(seconds / 60)} min`
      : `${Math.round(seconds / 360) / 10} h`

/** Why a record is told of, in a sentence, by the part of its figure. */
const words: Readonly<Record<string, (row: FoundRow) => string>> = {
  illegal: ({ details: [before, types, state] }) =>
    `${types || 'No event'} cannot lead from ${before} to ${state}.`,
  moves: ({ details: [metres, seconds], value }) =>
    `${whole(metres)} m in ${whole(seconds)} s${value === null ? '' : `, ${Math.round(value)} km/h`}.`,
  trips: ({ details: [metres, seconds], value }) =>
    `The trip is ${whole(metres)} m long and took ${whole(seconds)} s${value === null ? '' : `, ${Math.round(value)} km/h on average`}.`,
  without_events: () => 'The trip was reported, and no event tells of it.',
  without_report: () => 'Events tell of the trip, and it was not reported within 24 hours.',
  without_end: () => 'The trip began more than 24 hours ago and has no end.',
  ends_without_start: () => 'An event ends the trip, and none of the two days before starts it.',
  time_differs: () => 'Start or end of report and events are more than 5 minutes apart.',
  place_differs: () => 'Start or end of report and events are more than 250 m apart.',
  silent: ({ value, details: [state] }) =>
    `Nothing was heard for ${span((value ?? 0) * 3600)}; it was ${state} then.`,
  lost: ({ value, details: [state] }) =>
    `Nothing was heard for ${span((value ?? 0) * 3600)}, so that it counts as lost; it was ${state} then.`,
  schema: ({ details: [reason, field] }) => (field ? `${field}: ${reason}` : (reason ?? '')),
  clock_skew: ({ details: [reason] }) => reason ?? '',
  events_ahead: ({ value }) => `Its time lies ${span(value ?? 0)} after its receipt.`,
  late: ({ value }) => `It was received ${span(value ?? 0)} after it happened.`,
  repeated: ({ details: [repeated, accepted, stream] }) =>
    `${repeated} of ${accepted} records of the stream ${stream} were received before.`,
}

export const rowReason = (row: FoundRow): string => words[row.part]?.(row) ?? ''
