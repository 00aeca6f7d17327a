import { Anchor } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import type { MeasureKey } from '#contract/metrics.ts'

/** Opens the records of a measure. */
export function RecordsLink({ measure }: { measure: MeasureKey }) {
  const { t } = useTranslation()
  return (
    <Anchor
      component={Link}
      to="."
      search={((previous: object) => ({ ...previous, records: measure })) as never}
      size="sm"
    >
      {t('reporting:records.open')}
    </Anchor>
  )
}
