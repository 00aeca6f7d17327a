import type { AttractorKind } from './attractors.ts'

type Weights = Readonly<Record<AttractorKind, number>>

/** Demand over time. Each hour belongs to one of six phases with their own weights of attractors. */
export const rhythm: {
  /** Relative number of trips by local hour of the start, Monday to Friday; 24 numbers. */
  weekdayHours: readonly number[]
  /** The same for Saturday and Sunday. */
  weekendHours: readonly number[]
  /** Index in `phases` for each local hour of a day from Monday to Friday. */
  weekdayPhase: readonly number[]
  /** The same for Saturday and Sunday. */
  weekendPhase: readonly number[]
  /** Weights of attractors for the start and the end of trips. */
  phases: readonly { from: Weights; to: Weights }[]
  /** Relative demand, Monday first. */
  dayOfWeek: readonly number[]
  /** Relative demand, January first. */
  month: readonly number[]
} = {
  weekdayHours: [
    0.9, 0.5, 0.4, 0.2, 0.3, 0.9, 2.6, 5.9, 8.4, 5.6, 4.1, 4.6, 5.8, 5.5, 5.0, 5.7, 7.4, 9.3, 7.6, 5.6, 4.2,
    3.3, 2.5, 1.6,
  ],
  weekendHours: [
    2.4, 1.9, 1.3, 0.5, 0.3, 0.4, 0.9, 1.8, 3.1, 4.6, 5.9, 7.0, 7.9, 8.4, 8.3, 7.8, 7.0, 6.2, 5.4, 4.7, 4.1,
    3.6, 3.4, 3.1,
  ],
  weekdayPhase: [3, 3, 3, 3, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2, 3, 3, 3, 3],
  weekendPhase: [5, 5, 5, 5, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 5, 5],
  phases: [
    {
      from: { home: 3, station: 2.2, study: 0.4, work: 0.5, leisure: 0.4 },
      to: { work: 3, study: 2.5, station: 1.6, home: 0.5, leisure: 0.4 },
    },
    {
      from: { home: 1, station: 1, study: 1.8, work: 2, leisure: 1.2 },
      to: { work: 1.7, study: 1.8, station: 1, home: 1, leisure: 1.5 },
    },
    {
      from: { home: 0.6, station: 1.5, study: 2, work: 3, leisure: 1.2 },
      to: { home: 2.6, station: 2.4, leisure: 2, study: 0.5, work: 0.7 },
    },
    {
      from: { home: 0.8, station: 1, study: 1, work: 0.8, leisure: 2.6 },
      to: { home: 2.6, leisure: 1.6, station: 1, study: 0.8, work: 0.4 },
    },
    {
      from: { home: 1.5, station: 1.3, study: 0.6, work: 0.6, leisure: 2.4 },
      to: { leisure: 3.4, home: 1.4, station: 1, study: 0.5, work: 0.5 },
    },
    {
      from: { leisure: 2.8, home: 0.8, station: 0.8, study: 1, work: 0.7 },
      to: { home: 2.4, leisure: 2, station: 0.8, study: 1, work: 0.4 },
    },
  ],
  dayOfWeek: [0.95, 1.01, 1.03, 1.04, 1.1, 1.06, 0.87],
  month: [0.62, 0.67, 0.82, 0.98, 1.12, 1.2, 1.22, 1.2, 1.14, 1.04, 0.82, 0.66],
}
