import { useTranslation } from 'react-i18next'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { useRegion } from './region.tsx'
import { UnknownPolicy } from './unknown-policy.tsx'

/** The page of one policy: as long as none can be written, none is ever found. */
export function PolicyNotBuilt({ page }: { page: 'policy' | 'policyEdit' | 'complianceDetail' }) {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  return (
    <ReadingPage>
      <UnknownPolicy regionId={regionId}>{t(`shell:notBuilt.${page}`)}</UnknownPolicy>
    </ReadingPage>
  )
}
