import type { z } from 'zod'
import type { TripFilters } from '#contract/evaluation.ts'

type Asked = z.output<typeof TripFilters>

/** The filters in one form: whoever asks the same in other words asks the same. */
export const sameFilters = ({
  start_date,
  end_date,
  operators,
  vehicle_type,
  days,
  hour_filters,
}: Asked): unknown => [
  start_date,
  end_date,
  operators.toSorted(),
  vehicle_type,
  days.toSorted(),
  hour_filters,
]
