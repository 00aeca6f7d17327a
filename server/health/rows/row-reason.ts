import type { FoundRow } from '../queries/row-columns.ts'

const formatInteger = (text: string | undefined): string => String(Math.round(Number(text ?? 0)))
/** Formats seconds, from two minutes on as minutes, and from two hours on as hours. */
function formatDuration(seconds: number): string {
  if (seconds < 120) return `${Math.round(seconds)} s`
  return seconds < 7200 ? `${Math.round(seconds / 60)} min` : `${Math.round(seconds / 360) / 10} h`
}

/** Sentences why a row is listed, by the part of its figure. */
const reasons: Readonly<Record<string, (row: FoundRow) => string>> = {
  illegal: ({ details: [before, types, state] }) =>
    `${types || 'No event'} cannot lead from ${before} to ${state}.`,
  moves: ({ details: [meters, seconds], value }) =>
    `${formatInteger(meters)} m in ${formatInteger(seconds)} s${value === null ? '' : `, ${Math.round(value)} km/h`}.`,
  trips: ({ details: [meters, seconds], value }) =>
    `The trip is ${formatInteger(meters)} m long and took ${formatInteger(seconds)} s${value === null ? '' : `, ${Math.round(value)} km/h on average`}.`,
  without_events: () => 'The trip was reported, but there are no events of it.',
  without_report: () => 'There are events of the trip, but it was not reported within 24 hours.',
  without_end: () => 'The trip began more than 24 hours ago and has no end.',
  ends_without_start: () => 'The trip has an end event, but no start event in the two days before.',
  time_differs: () => 'Start or end of report and events are more than 5 minutes apart.',
  place_differs: () => 'Start or end of report and events are more than 250 m apart.',
  silent: ({ value, details: [state] }) =>
    `No contact for ${formatDuration((value ?? 0) * 3600)}; the last state was ${state}.`,
  lost: ({ value, details: [state] }) =>
    `No contact for ${formatDuration((value ?? 0) * 3600)}, so it counts as lost; the last state was ${state}.`,
  schema: ({ details: [reason, field] }) => (field ? `${field}: ${reason}` : (reason ?? '')),
  clock_skew: ({ details: [reason] }) => reason ?? '',
  events_ahead: ({ value }) => `Its time is ${formatDuration(value ?? 0)} after its receipt.`,
  late: ({ value }) => `It was received ${formatDuration(value ?? 0)} after it happened.`,
  repeated: ({ details: [repeated, accepted, stream] }) =>
    `${repeated} of ${accepted} records of the stream ${stream} were received before.`,
}

/** Returns why a row is listed; an empty string if there is nothing to say. */
export const explainRow = (row: FoundRow): string => reasons[row.part]?.(row) ?? ''
