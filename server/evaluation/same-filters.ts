import type { z } from 'zod'
import type { TripFilters } from '#contract/evaluation.ts'

type Asked = z.output<typeof TripFilters>

/** Swapped start and end dates are reordered (2-map-and-data, section 4). */
export const inOrder = <Given extends Pick<Asked, 'start_date' | 'end_date'>>(given: Given): Given => (given.start_date <= given.end_date ? given : { ...given, start_date: given.end_date, end_date: given.start_date })

/** The filters in one form: whoever asks the same in other words asks the same. */
export const sameFilters = ({ start_date, end_date, operators, vehicle_type, days, hour_filters }: Asked): unknown => [start_date, end_date, operators.toSorted(), vehicle_type, days.toSorted(), hour_filters]
