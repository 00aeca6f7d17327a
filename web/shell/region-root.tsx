import { IconToggleLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { ContactButton } from './contact-button.tsx'
import { defaultPath } from './default-page.ts'
import { Redirect } from './redirect.tsx'
import { useRegion } from './region.tsx'
import { useAccessContext } from './use-access-context.ts'

/**
 * `/{regionId}` and its index paths: redirects to the default page of the region, or explains that there is
 * none.
 */
export function RegionRoot() {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const access = useAccessContext()
  const address = defaultPath(regionId, access)
  if (address !== `/${regionId}`) return <Redirect to={address} />
  return (
    <ReadingPage>
      <EmptyState
        title={t('shell:root.title')}
        icon={<IconToggleLeft />}
        order={1}
        action={<ContactButton about="noAccess" />}
      >
        {t('shell:root.text')}
      </EmptyState>
    </ReadingPage>
  )
}
