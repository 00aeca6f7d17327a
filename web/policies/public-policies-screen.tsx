import { useTranslation } from 'react-i18next'
import { useOpenedAt } from '#web/data/clock.ts'
import { PublicPage } from '#web/shell/public-page.tsx'
import { PublicPolicies } from './public-policies.tsx'

/** The public page of a region's policies, without sign-in. */
export function PublicPoliciesScreen() {
  const { t } = useTranslation()
  const at = useOpenedAt()
  return (
    <PublicPage title={t('shell:pages.publicPolicies')}>
      {(region) => <PublicPolicies region={region} at={at} />}
    </PublicPage>
  )
}
