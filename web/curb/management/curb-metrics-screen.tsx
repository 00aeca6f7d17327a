import { Button } from '@mantine/core'
import { IconKey } from '@tabler/icons-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { localDay } from '#contract/period.ts'
import { DashboardScreen } from '#web/reporting/dashboard.tsx'
import { useMe } from '#web/shell/me.tsx'
import { useRegion } from '#web/shell/region.tsx'
import { CdsTokensDialog } from './cds-tokens-dialog.tsx'
import { curbMetrics } from './curb-metrics.tsx'

/** Metrics of smart zones. */
export function CurbMetricsScreen() {
  const { t, i18n } = useTranslation()
  const { can } = useMe()
  const region = useRegion()
  const [now] = useState(() => Date.now())
  const [hasTokens, setTokens] = useState(false)
  const today = localDay(new Date(now), region.timezone)
  const dashboard = useMemo(
    () => curbMetrics({ region, today, language: i18n.language }),
    [region, today, i18n.language],
  )
  return (
    <>
      <DashboardScreen
        dashboard={dashboard}
        actions={
          can('is_admin') ? (
            <Button variant="default" leftSection={<IconKey size={18} />} onClick={() => setTokens(true)}>
              {t('curb:tokens.title')}
            </Button>
          ) : null
        }
      />
      {hasTokens ? <CdsTokensDialog onClose={() => setTokens(false)} /> : null}
    </>
  )
}
