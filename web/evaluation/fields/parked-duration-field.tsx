import { Select } from '@mantine/core'
import { useTranslation } from 'react-i18next'
import type { TFunction } from 'i18next'
import { formatNumber } from '#web/kit/format.ts'

/** Minutes that layers without filters of their own offer (2-map-and-data, section 9). */
const usual: readonly number[] = [1440, 2880, 4320, 14_400]
/** The longest that is said in hours. */
const longestInHours = 4320

/** The lengths that a layer offers, and the one that was chosen. */
export const parkedDurations = (offered: readonly number[], chosen: number | undefined): number[] =>
  [
    ...new Set([...(offered.length > 0 ? offered : usual), ...(chosen === undefined ? [] : [chosen])]),
  ].toSorted((a, b) => a - b)

/** Minutes in hours up to three days, in days above. */
export function durationText(t: TFunction, minutes: number): string {
  const isHours = minutes <= longestInHours
  const count = minutes / (isHours ? 60 : 1440)
  return t(`evaluation:parked.${isHours ? 'hours' : 'days'}`, { count, shown: formatNumber(count) })
}

interface Props {
  /** Minutes that the layer offers; none: the usual ones. */
  offered: readonly number[]
  value: number | undefined
  onChange: (value: number | undefined) => void
}

const none = 'none'

export function ParkedDurationField({ offered, value, onChange }: Props) {
  const { t } = useTranslation()
  const lengths = parkedDurations(offered, value)
  return (
    <Select
      label={t('evaluation:parked.label')}
      allowDeselect={false}
      value={value === undefined ? none : String(value)}
      data={[
        { value: none, label: t('evaluation:parked.none') },
        ...lengths.map((minutes) => ({ value: String(minutes), label: durationText(t, minutes) })),
      ]}
      onChange={(chosen) => onChange(lengths.find((minutes) => String(minutes) === chosen))}
    />
  )
}
