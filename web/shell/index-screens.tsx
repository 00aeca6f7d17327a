import { IconToggleLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { EmptyState } from '#web/kit/empty-state.tsx'
import { ReadingPage } from '#web/kit/reading-page.tsx'
import { ContactButton } from './contact-button.tsx'
import { Redirect } from './redirect.tsx'
import { useRegion } from './region.tsx'
import { useAccessContext } from './use-access-context.ts'
import { defaultCurbPage, defaultPath } from './default-page.ts'
import { pagePath } from './pages.ts'
import { useMe } from './me.tsx'

/** `/{regionId}` and its index paths: redirects to the region's default page, or explains its absence. */
export function RegionRoot() {
  const { t } = useTranslation()
  const { regionId } = useRegion()
  const access = useAccessContext()
  const defaultAddress = defaultPath(regionId, access)
  if (defaultAddress !== `/${regionId}`) return <Redirect to={defaultAddress} />
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

/** Index of the curb: redirects to its default page, or to that of the region if it has none. */
export function CurbIndex() {
  const { regionId } = useRegion()
  const access = useAccessContext()
  const page = access ? defaultCurbPage(access) : null
  return <Redirect to={page ? pagePath(regionId, page) : `/${regionId}`} />
}

/** `/admin`: redirects to the first page that the administrator may use. */
export function AdminIndex() {
  return <Redirect to={useMe().user.regionIds ? '/admin/regions' : '/admin/organization'} />
}
