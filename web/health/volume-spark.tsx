import { useTranslation } from 'react-i18next'
import type { HealthDay } from '#contract/health.ts'
import { formatInteger } from '#web/kit/format.ts'
import { SparkBars } from '#web/kit/spark-bars.tsx'
import { shortDay } from '#web/kit/dates/short-day.ts'

/** Records by day as small bars; a line across each marks what is usual. */
export function VolumeSpark({ days }: { days: readonly HealthDay[] }) {
  const { t, i18n } = useTranslation()
  const texts = days.map(({ day, count, usual }) =>
    t(usual === null ? 'health:spark.day' : 'health:spark.usual', {
      day: shortDay(day, i18n.language),
      count: formatInteger(count),
      usual: formatInteger(usual),
    }),
  )
  return (
    <SparkBars
      bars={days.map(({ count, usual }) => ({ value: count, usual }))}
      height={32}
      step={days.length > 14 ? 8 : 20}
      label={t('health:spark.text', { days: texts.join('; ') })}
    />
  )
}
