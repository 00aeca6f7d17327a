import { useTranslation } from 'react-i18next'
import { getOrganization } from '#contract/organizations.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { useMe } from '#web/shell/me.tsx'
import { AdminPage } from '#web/shell/admin-page.tsx'
import { OrganizationForm } from './organization-form.tsx'

/** The settings of the organization. */
export function OrganizationScreen() {
  const { t } = useTranslation()
  const { user } = useMe()
  const organization = useEndpointQuery(getOrganization, { params: { organization_id: user.organizationId } })
  return (
    <AdminPage page="organization" context={t('regions:organizationContext')}>
      <Loaded query={organization} dim={false}>
        {(loadedOrganization) => (
          <OrganizationForm key={loadedOrganization.id} organization={loadedOrganization} />
        )}
      </Loaded>
    </AdminPage>
  )
}
