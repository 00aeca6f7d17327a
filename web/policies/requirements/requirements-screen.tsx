import { Anchor } from '@mantine/core'
import { Link, useParams } from '@tanstack/react-router'
import { IconChevronLeft } from '@tabler/icons-react'
import { useTranslation } from 'react-i18next'
import { listManagedOperators } from '#contract/managed-operators.ts'
import { getMdsRequirements } from '#contract/mds-policy-feed.ts'
import { getRegion } from '#contract/regions.ts'
import { getRequirements } from '#contract/requirements.ts'
import { endpointUrl } from '#web/data/endpoint-url.ts'
import { useEndpointQuery } from '#web/data/query.ts'
import { formatDateTime } from '#web/kit/format.ts'
import { Loaded } from '#web/kit/loaded.tsx'
import { AdminPage } from '#web/shell/admin-page.tsx'
import styles from './requirements.module.css'
import { RequirementsForm } from './requirements-form.tsx'

/** The page on which administrators set what operators of a region must provide (MDS Requirements). */
export function RequirementsScreen() {
  const { t } = useTranslation()
  const { regionId = '' } = useParams({ strict: false })
  const params = { region_id: regionId }
  const region = useEndpointQuery(getRegion, { params })
  // Edits must start from the stored requirements, never from cached ones.
  const requirements = useEndpointQuery(getRequirements, { params }, { staleTime: 0, gcTime: 0 })
  const operators = useEndpointQuery(listManagedOperators, {})
  const stored = requirements.data
  const context = stored?.modified_time
    ? t('policies:requirements.setBy', {
        version: stored.file_version,
        who: stored.modified_by_email,
        when: formatDateTime(stored.modified_time, region.data?.timezone),
      })
    : t('policies:requirements.notSet')
  return (
    <AdminPage
      back={
        <Link to="/admin/regions" className={styles['back']}>
          <IconChevronLeft size={16} aria-hidden="true" />
          {t('shell:pages.regions')}
        </Link>
      }
      page="regions"
      title={
        region.data
          ? t('policies:requirements.heading', { region: region.data.text })
          : t('policies:requirements.page')
      }
      context={stored ? context : t('policies:requirements.text')}
      actions={
        <Anchor href={endpointUrl(getMdsRequirements, { params })} target="_blank" rel="noreferrer" size="sm">
          {t('policies:requirements.feed')}
        </Anchor>
      }
    >
      <p className={styles['text']}>{t('policies:requirements.text')}</p>
      <Loaded query={region} dim={false}>
        {(data) => (
          <Loaded query={operators} dim={false}>
            {(managedOperators) => (
              <Loaded query={requirements} dim={false}>
                {(stored) => (
                  <RequirementsForm
                    key={data.regionId}
                    region={data}
                    requirements={stored}
                    operators={managedOperators}
                  />
                )}
              </Loaded>
            )}
          </Loaded>
        )}
      </Loaded>
    </AdminPage>
  )
}
